/*
 * What reads the fields that a game's line of JSON has in common with an
 * opening's. Reasons have room for GAME_REASON_MAX bytes.
 */
#ifndef DATA_GAMEJSON_H
#define DATA_GAMEJSON_H

#include "game.h"
#include "json.h"

/* Keeps the text of a string; -1 when it is none. */
int game_keep_json(struct game *g, struct json_value v, struct span *kept);

/* One of our own words: in place, unless somebody wrote it with escapes. */
bool game_json_word(struct game *g, struct json_value v, const char **s,
    size_t *n);

/* Each is -1 with a reason. A value whose s is NULL is not there. */
int game_read_rules(struct game *g, const struct game_options *o,
    struct json_value v, char *reason);
int game_read_start(struct game *g, struct json_value v, char *reason);
int game_read_moves(struct game *g, struct json_value v, struct board *final,
    char *reason);

#endif
