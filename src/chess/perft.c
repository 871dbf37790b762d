/* Compiled once for each instruction set; see isa.h. */
#include "perft.h"

#include "make.h"
#include "movegen.h"

uint64_t
perft(struct board *b, int depth)
{
	move list[MOVES_MAX];
	struct undo u;
	uint64_t nodes = 0;

	if (depth == 0)
		return 1;
	if (depth == 1)
		return (uint64_t)movegen_count(b);
	int n = movegen_list(b, list);
	for (int i = 0; i < n; i++) {
		make_move(b, list[i], &u);
		nodes += depth == 2 ? (uint64_t)movegen_count(b) : perft(b, depth - 1);
		unmake_move(b, list[i], &u);
	}
	return nodes;
}
