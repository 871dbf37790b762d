#include "pieces.h"

#include <stdio.h>
#include <string.h>

#include "board.h"

/* An atom: a leap, or a slide. */
struct atom {
	char name;
	int leap; /* LEAP_D …; -1: it slides */
	bool straight, diagonal;
	int far; /* squares that it slides by default */
};

static const struct atom atoms[] = {
	{ 'W', -1, true, false, 1 },
	{ 'F', -1, false, true, 1 },
	{ 'R', -1, true, false, 7 },
	{ 'B', -1, false, true, 7 },
	{ 'K', -1, true, true, 1 },
	{ 'Q', -1, true, true, 7 },
	{ 'D', LEAP_D, true, false, 0 },
	{ 'N', LEAP_N, false, true, 0 },
	{ 'A', LEAP_A, false, true, 0 },
	{ 'H', LEAP_H, true, false, 0 },
	{ 'G', LEAP_G, false, true, 0 },
};

/* Steps of each leap, (files, ranks). */
static const uint8_t leap_steps[LEAPS][2] = {
	[LEAP_D] = { 0, 2 },
	[LEAP_N] = { 1, 2 },
	[LEAP_A] = { 2, 2 },
	[LEAP_H] = { 0, 3 },
	[LEAP_G] = { 3, 3 },
};

/* The letters before an atom. */
struct letters {
	bool quiet, capture; /* m, c; neither means both modes */
	bool vertical;       /* v */
	int ways;            /* 0: all */
};

static const struct atom *
find_atom(char c)
{
	for (size_t i = 0; i < sizeof(atoms) / sizeof(atoms[0]); i++)
		if (atoms[i].name == c)
			return &atoms[i];
	return NULL;
}

/* Reads letters up to the atom; -1 with a reason. */
static int
read_letters(const char **s, struct letters *l, char *reason)
{
	const char *first = *s;

	memset(l, 0, sizeof(*l));
	for (; **s >= 'a' && **s <= 'z'; ++*s) {
		int ways = 0;
		if (memchr(first, **s, (size_t)(*s - first)) != NULL)
			return refuse(reason, "the letter '%c' is given twice", **s);
		switch (**s) {
		case 'm':
			l->quiet = true;
			break;
		case 'c':
			l->capture = true;
			break;
		case 'f':
			ways = WAY_FORWARD;
			break;
		case 'b':
			ways = WAY_BACK;
			break;
		case 's':
			ways = WAY_SIDEWAYS;
			break;
		case 'v':
			ways = WAY_FORWARD | WAY_BACK;
			l->vertical = true;
			break;
		case 'l':
		case 'r':
			return refuse(reason,
			    "'%c' is refused: pieces move the "
			    "same to the left and to the right",
			    **s);
		default:
			return refuse(reason,
			    "'%c' is not one of the letters m c f b s v", **s);
		}
		l->ways |= ways;
	}
	if (l->quiet && l->capture)
		return refuse(reason,
		    "m (moves only) and c (captures only) exclude each other");
	return 0;
}

/* The number after an atom: how far it slides. */
static int
read_number(const char **s, const struct atom *a, int *far, char *reason)
{
	*far = a->far;
	if (**s < '0' || **s > '9')
		return 0;
	if (a->leap >= 0)
		return refuse(reason, "%c leaps and takes no number", a->name);
	*far = **s - '0';
	++*s;
	if (*far < 1 || *far > 7 || (**s >= '0' && **s <= '9'))
		return refuse(reason, "the number after %c is not 1 to 7", a->name);
	return 0;
}

static void
widen(uint8_t *slide, int far)
{
	if (*slide < far)
		*slide = (uint8_t)far;
}

static void
add_atom(struct piece *p, const struct atom *a, int mode, int ways, int far)
{
	uint8_t *slide = p->slide[mode];

	if (a->leap >= 0) {
		p->leap[mode][a->leap] |= (uint8_t)ways;
		return;
	}
	for (int back = 0; back < 2; back++) {
		if ((ways & (back ? WAY_BACK : WAY_FORWARD)) == 0)
			continue;
		if (a->straight)
			widen(&slide[SLIDE_FORWARD + back], far);
		if (a->diagonal)
			widen(&slide[SLIDE_DIAGONAL + back], far);
	}
	if (a->straight && (ways & WAY_SIDEWAYS) != 0)
		widen(&slide[SLIDE_SIDEWAYS], far);
}

static int
read_atom(struct piece *p, const char **s, char *reason)
{
	struct letters l;
	int far;

	if (read_letters(s, &l, reason) == -1)
		return -1;
	const struct atom *a = find_atom(**s);
	if (**s == '\0')
		return refuse(reason, "letters without an atom after them");
	if (a == NULL)
		return refuse(reason,
		    "'%c' is not one of the atoms W F D N A H G R B Q K",
		    **s > ' ' && **s < 0x7f ? **s : '?');
	if (a->diagonal && (l.vertical || (l.ways & WAY_SIDEWAYS) != 0))
		return refuse(reason, "s and v go with W, D, H and R only, not with %c",
		    a->name);
	++*s;
	if (**s == a->name)
		return refuse(reason, "the rider %c%c is not supported", a->name,
		    a->name);
	if (read_number(s, a, &far, reason) == -1)
		return -1;
	int ways = l.ways != 0
	    ? l.ways
	    : WAY_FORWARD | WAY_BACK | (a->straight ? WAY_SIDEWAYS : 0);
	if (!l.capture)
		add_atom(p, a, PIECE_QUIET, ways, far);
	if (!l.quiet)
		add_atom(p, a, PIECE_CAPTURE, ways, far);
	return 0;
}

/* The squares of a leap from d4 by (df, dr) and by (-df, dr). */
static uint64_t
leap_squares(int df, int dr)
{
	int rank = 3 + dr;

	return bit(8 * rank + 3 + df) | bit(8 * rank + 3 - df);
}

static uint64_t
leap_pattern(const uint8_t leap[LEAPS], int side)
{
	uint64_t set = 0;

	for (int i = 0; i < LEAPS; i++) {
		int a = leap_steps[i][0], b = leap_steps[i][1];
		int sign = side == WHITE ? 1 : -1;
		if ((leap[i] & WAY_FORWARD) != 0)
			set |= leap_squares(a, sign * b) |
			    (a == 0 ? 0 : leap_squares(b, sign * a));
		if ((leap[i] & WAY_BACK) != 0)
			set |= leap_squares(a, -sign * b) |
			    (a == 0 ? 0 : leap_squares(b, -sign * a));
		if ((leap[i] & WAY_SIDEWAYS) != 0)
			set |= leap_squares(b, 0);
	}
	return set;
}

/* The first steps of slides, which nothing can block. */
static uint64_t
step_pattern(const uint8_t slide[SLIDES], int side)
{
	int sign = side == WHITE ? 1 : -1;
	uint64_t set = 0;

	for (int back = 0; back < 2; back++) {
		int dr = back ? -sign : sign;
		if (slide[SLIDE_FORWARD + back] > 0)
			set |= leap_squares(0, dr);
		if (slide[SLIDE_DIAGONAL + back] > 0)
			set |= leap_squares(1, dr);
	}
	return set | (slide[SLIDE_SIDEWAYS] > 0 ? leap_squares(1, 0) : 0);
}

static uint8_t
find_far(const uint8_t slide[SLIDES])
{
	bool straight = slide[SLIDE_FORWARD] > 1 || slide[SLIDE_BACK] > 1 ||
	    slide[SLIDE_SIDEWAYS] > 1;
	bool diagonal = slide[SLIDE_DIAGONAL] > 1 || slide[SLIDE_DIAGONAL_BACK] > 1;

	return (uint8_t)((straight ? FAR_STRAIGHT : 0) | (diagonal ? FAR_DIAGONAL : 0));
}

int
piece_parse(struct piece *p, const char *text, char reason[REASON_MAX])
{
	memset(p, 0, sizeof(*p));
	for (const char *s = text; *s != '\0';)
		if (read_atom(p, &s, reason) == -1)
			return -1;
	for (int mode = PIECE_QUIET; mode <= PIECE_CAPTURE; mode++) {
		for (int side = WHITE; side <= BLACK; side++)
			p->pattern[mode][side] = leap_pattern(p->leap[mode], side) |
			    step_pattern(p->slide[mode], side);
		p->far[mode] = find_far(p->slide[mode]);
	}
	p->split = memcmp(p->slide[0], p->slide[1], sizeof(p->slide[0])) != 0 ||
	    memcmp(p->leap[0], p->leap[1], sizeof(p->leap[0])) != 0;
	return 0;
}

bool
piece_equal(const struct piece *a, const struct piece *b)
{
	return memcmp(a->slide, b->slide, sizeof(a->slide)) == 0 &&
	    memcmp(a->leap, b->leap, sizeof(a->leap)) == 0;
}

bool
piece_goes_sideways(const struct piece *p, int mode, int n)
{
	return p->slide[mode][SLIDE_SIDEWAYS] >= n ||
	    (n == 2 && (p->leap[mode][LEAP_D] & WAY_SIDEWAYS) != 0) ||
	    (n == 3 && (p->leap[mode][LEAP_H] & WAY_SIDEWAYS) != 0);
}

int
piece_slide_only(const struct piece *p, int mode, int direction)
{
	int quiet = p->slide[PIECE_QUIET][direction];
	int capture = p->slide[PIECE_CAPTURE][direction];

	if (mode == PIECE_BOTH)
		return quiet < capture ? quiet : capture;
	return mode == PIECE_QUIET ? (quiet > capture ? quiet : 0)
				   : (capture > quiet ? capture : 0);
}

int
piece_leap_only(const struct piece *p, int mode, int leap)
{
	int quiet = p->leap[PIECE_QUIET][leap], capture = p->leap[PIECE_CAPTURE][leap];

	if (mode == PIECE_BOTH)
		return quiet & capture;
	return mode == PIECE_QUIET ? quiet & ~capture : capture & ~quiet;
}

/* ---- printing ---- */

/* How far slides of one mode go, by direction. */
struct reach {
	int straight[3], diagonal[2]; /* forward, back, sideways */
};

static void
find_reach(const struct piece *p, int mode, struct reach *r)
{
	r->straight[0] = piece_slide_only(p, mode, SLIDE_FORWARD);
	r->straight[1] = piece_slide_only(p, mode, SLIDE_BACK);
	r->straight[2] = piece_slide_only(p, mode, SLIDE_SIDEWAYS);
	r->diagonal[0] = piece_slide_only(p, mode, SLIDE_DIAGONAL);
	r->diagonal[1] = piece_slide_only(p, mode, SLIDE_DIAGONAL_BACK);
}

static char *
put_letters(char *s, int mode, int ways, bool straight)
{
	int all = WAY_FORWARD | WAY_BACK | (straight ? WAY_SIDEWAYS : 0);

	if (mode != PIECE_BOTH)
		*s++ = "mc"[mode];
	for (int i = 0; i < 3 && ways != all; i++)
		if ((ways & 1 << i) != 0)
			*s++ = "fbs"[i];
	return s;
}

/* Writes one atom for each distance; `far` has the distances forward, back and
 * sideways. */
static char *
put_slides(char *s, int mode, const int *far, int n, const char names[2])
{
	for (int d = 7; d >= 1; d--) {
		int ways = 0;
		for (int i = 0; i < n; i++)
			ways |= far[i] == d ? 1 << i : 0;
		if (ways == 0)
			continue;
		s = put_letters(s, mode, ways, n == 3);
		*s++ = names[d > 1];
		if (d > 1 && d < 7)
			*s++ = (char)('0' + d);
	}
	return s;
}

/* Writes Q or K if the slides of this mode go equally far in all directions;
 * otherwise returns NULL. */
static char *
put_royal(char *s, int mode, const struct reach *r)
{
	int d = r->straight[0];

	if (d == 0 || r->straight[1] != d || r->straight[2] != d || r->diagonal[0] != d ||
	    r->diagonal[1] != d)
		return NULL;
	s = put_letters(s, mode, WAY_FORWARD | WAY_BACK, false);
	*s++ = d > 1 ? 'Q' : 'K';
	if (d > 1 && d < 7)
		*s++ = (char)('0' + d);
	return s;
}

static char *
put_mode(char *s, const struct piece *p, int mode)
{
	struct reach r;

	find_reach(p, mode, &r);
	char *royal = put_royal(s, mode, &r);
	if (royal != NULL) {
		s = royal;
	} else {
		s = put_slides(s, mode, r.straight, 3, "WR");
		s = put_slides(s, mode, r.diagonal, 2, "FB");
	}
	for (int i = 0; i < LEAPS; i++) {
		int ways = piece_leap_only(p, mode, i);
		if (ways == 0)
			continue;
		s = put_letters(s, mode, ways, leap_steps[i][0] == 0);
		*s++ = "DNAHG"[i];
	}
	return s;
}

int
piece_print(const struct piece *p, char text[PIECE_TEXT_MAX])
{
	char *s = put_mode(text, p, PIECE_BOTH);

	s = put_mode(s, p, PIECE_QUIET);
	s = put_mode(s, p, PIECE_CAPTURE);
	*s = '\0';
	return (int)(s - text);
}
