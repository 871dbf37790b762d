#include "towergraph.h"

#include <stdio.h>
#include <string.h>

/* A node: in names '#' is the number of its block and '<' that of the one before. */
struct pattern {
	const char *type, *name, *in, *other, *out;
	int kernel;
};

static const struct pattern stem[TOWER_STEM_NODES] = {
	{ "Conv", "stem", NET_NAME_BOARD, "", "stem.out", 3 },
	{ "Relu", "", "stem.out", "", "x0", 0 },
};

static const struct pattern block[TOWER_BLOCK_NODES] = {
	{ "Conv", "b#.conv1", "x<", "", "b#.1", 3 },
	{ "Relu", "", "b#.1", "", "b#.relu1", 0 },
	{ "Conv", "b#.conv2", "b#.relu1", "", "b#.2", 3 },
	{ "Add", "", "b#.2", "x<", "b#.sum", 0 },
	{ "Relu", "", "b#.sum", "", "x#", 0 },
};

static const struct pattern head[TOWER_HEAD_NODES] = {
	{ "Conv", "policy", "x#", "", NET_NAME_POLICY, 1 },
	{ "Conv", "value", "x#", "", "value.out", 1 },
	{ "Relu", "", "value.out", "", "value.relu", 0 },
	{ "GlobalAveragePool", "", "value.relu", "", "value.pool", 0 },
	{ "Flatten", "", "value.pool", "", "value.flat", 0 },
	{ "Gemm", "value1", "value.flat", "", "value1.out", 0 },
	{ "Relu", "", "value1.out", "", "value1.relu", 0 },
	{ "Gemm", "value2", "value1.relu", "", NET_NAME_WDL, 0 },
	{ "Gemm", "left", "value1.relu", "", NET_NAME_LEFT, 0 },
};

static void
spell(char to[TOWER_NAME_MAX], const char *pattern, int number)
{
	size_t n = 0;

	for (; *pattern != '\0' && n + 4 < TOWER_NAME_MAX; pattern++)
		if (*pattern == '#' || *pattern == '<')
			n += (size_t)snprintf(to + n, TOWER_NAME_MAX - n, "%d",
			    *pattern == '#' ? number : number - 1);
		else
			to[n++] = *pattern;
	to[n] = '\0';
}

static int
add(struct tower_node *nodes, const struct pattern *patterns, int n, int number)
{
	for (int i = 0; i < n; i++) {
		const struct pattern *p = &patterns[i];
		memset(&nodes[i], 0, sizeof(nodes[i]));
		nodes[i].type = p->type;
		nodes[i].kernel = p->kernel;
		spell(nodes[i].name, p->name, number);
		spell(nodes[i].in, p->in, number);
		spell(nodes[i].other, p->other, number);
		spell(nodes[i].out, p->out, number);
	}
	return n;
}

int
tower_nodes(struct tower_node nodes[TOWER_NODES_MAX], int blocks, int filters)
{
	int n = add(nodes, stem, TOWER_STEM_NODES, 0), layer = 0;

	for (int i = 1; i <= blocks; i++)
		n += add(nodes + n, block, TOWER_BLOCK_NODES, i);
	int body = n;
	n += add(nodes + n, head, TOWER_HEAD_NODES, blocks);
	for (int i = 0; i < n; i++) {
		if (nodes[i].name[0] == '\0')
			continue;
		nodes[i].is_head = i >= body;
		layer = i == body ? 0 : layer;
		nodes[i].layer = layer;
		nodes[i].from = nodes[i].is_head ? tower_heads[layer].from
		    : i == 0                     ? NET_PLANES
						 : 0;
		nodes[i].to = nodes[i].is_head ? tower_heads[layer].to : filters;
		if (nodes[i].from == 0)
			nodes[i].from = filters;
		layer++;
	}
	return n;
}

struct tower_names
tower_node_names(const struct tower_node *n)
{
	struct tower_names names;

	for (int i = 0; i < 2; i++)
		snprintf(names.of[i], sizeof(names.of[i]), "%s.%c", n->name, "wb"[i]);
	return names;
}

int
tower_node_dims(const struct tower_node *n, int64_t dims[4])
{
	dims[0] = n->to;
	dims[1] = n->from;
	dims[2] = dims[3] = n->kernel;
	return n->kernel > 0 ? 4 : 2;
}

int
tower_count_blocks(int nodes)
{
	int rest = nodes - TOWER_STEM_NODES - (TOWER_HEAD_NODES - 1);

	return rest < 0 || rest % TOWER_BLOCK_NODES > 1 ||
		rest / TOWER_BLOCK_NODES > TOWER_BLOCKS_MAX
	    ? -1
	    : rest / TOWER_BLOCK_NODES;
}
