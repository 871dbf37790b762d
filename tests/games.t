#!/bin/sh
# Games of the study, replayed: every position, every count of legal moves,
# SAN both ways.  A selection is in tests/data; all games are used if present.

cd "$(dirname "$0")/.." || exit 1
: "${TESTS:=$(pwd)/build/gcc/tests}"

set -- tests/data/games.jsonl
if test -r ../shared/paper/games.jsonl; then
	exec "$TESTS/replay_games" "$@" ../shared/paper/games.jsonl
fi
"$TESTS/replay_games" "$@" | awk '
/^1\.\./ {
	n = substr($0, 4) + 1
	print "ok " n " # SKIP ../shared/paper/games.jsonl is not here"
	print "1.." n
	next
}
{ print }'
