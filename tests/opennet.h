/* A net by its name; one that cannot be opened is a mistake in the test. */
#ifndef TESTS_OPENNET_H
#define TESTS_OPENNET_H

#include "common.h"
#include "net/net.h"

static struct net *
open_net(const char *spec)
{
	char reason[NET_REASON_MAX];
	struct net *n = net_open(spec, &(struct net_options){ 0 }, reason);

	if (n == NULL)
		bail_out("net", spec, reason);
	return n;
}

#endif
