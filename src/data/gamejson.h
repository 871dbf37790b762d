/*
 * Readers for the JSON fields that games and lines of openings share. Functions
 * return 0, or -1 with a reason of up to GAME_REASON_MAX bytes.
 */
#ifndef DATA_GAMEJSON_H
#define DATA_GAMEJSON_H

#include "game.h"
#include "json.h"

/* Copies a JSON string into the game's text; -1 (without a reason) if the value
 * is not a string. */
int game_keep_json(struct game *g, struct json_value v, struct span *kept);

/* The text of a JSON string, in place unless it has escapes; false if the value
 * is not a string. */
bool game_json_word(struct game *g, struct json_value v, const char **s, size_t *n);

/* Reads rules that are not the game's own. */
int game_parse_rules(struct game *g, struct json_value v, struct rules *r, char *reason);

/* Read the fields rules, start and moves. v.s is NULL if the field is missing.
 * *final is the position after the last move. */
int game_read_rules(struct game *g, const struct game_options *o, struct json_value v,
    char *reason);
int game_read_start(struct game *g, struct json_value v, char *reason);
int game_read_moves(struct game *g, struct json_value v, struct board *final,
    char *reason);

#endif
