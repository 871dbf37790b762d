/*
 * An archive of good and different items (MAP-Elites, Mouret and Clune 2015): the
 * plane of two numbers is divided into cells, and each cell keeps the item with the
 * least loss that fell into it.
 */
#ifndef STATS_ELITES_H
#define STATS_ELITES_H

struct elite {
	long cell[2];
	double loss;
	int item;
};

struct elites {
	double width[2]; /* of a cell; > 0 */
	struct elite *all;
	int n;
	/* private: */
	int room;
};

/* Running out of memory ends the program. */
void elites_init(struct elites *e, const double width[2]);
void elites_release(struct elites *e);

/* The cell of two finite numbers. */
void elites_cell(const struct elites *e, const double at[2], long cell[2]);

/* Offers an item, which is kept if its cell is empty or its loss is less than that
 * of the cell's item. Returns 1 if it is kept, else 0. Items that tie stay as they
 * came. */
int elites_offer(struct elites *e, const double at[2], double loss, int item);

/* The elite of this cell, NULL if it is empty. */
const struct elite *elites_find(const struct elites *e, const long cell[2]);

#endif
