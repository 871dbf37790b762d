#!/bin/sh
# Replays what the fuzzers have found, each corpus through its fuzzer.

cd "$(dirname "$0")/.." || exit 1
: "${TESTS:=$(pwd)/build/gcc/tests}"
count=0
. tests/fuzz/corpus.sh
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

for source in tests/fuzz/*.c; do
	name=$(basename "$source" .c)
	count=$((count + 1))
	unpack "$name" "$scratch/$name"
	if ! test -e "tests/fuzz/corpus/$name.tar.zst"; then
		echo "not ok $count - $name has no corpus"
	elif said=$("$TESTS/replay-$name" "$scratch/$name" 2>&1); then
		echo "ok $count - $name: $(echo "$said" | tail -n 1)"
	else
		echo "not ok $count - $name"
		echo "$said" | tail -n 20 | sed 's/^/# /'
	fi
done
echo "1..$count"
