#!/bin/sh
# The signature of search and net: tests/tools/signature.c. It changes with the net and
# with any change of the search; if that is intended:
#
#	UPDATE=1 tests/signature.t	puts the new one into tests/data/signature

cd "$(dirname "$0")/.." || exit 1
: "${TESTS:=$(pwd)/build/gcc/tests}"
expected=tests/data/signature

echo 1..3
if ! found=$("$TESTS/signature"); then
	echo "Bail out! no signature"
	exit 1
fi
test -z "${UPDATE-}" || echo "$found" >$expected
if test "${found#* }" = "$(cut -d ' ' -f 2 $expected)"; then
	echo "ok 1 - the net is ${found#* }"
else
	echo "not ok 1 - the net is ${found#* }: UPDATE=1 tests/signature.t"
fi
if test "${found% *}" = "$(cut -d ' ' -f 1 $expected)"; then
	echo "ok 2 - ${found% *} nodes"
else
	echo "not ok 2 - ${found% *} nodes, not $(cut -d ' ' -f 1 $expected)"
fi
if test "$(RULELAB_ISA=base "$TESTS/signature")" = "$found"; then
	echo "ok 3 - the same from the plainest instruction set"
else
	echo "not ok 3 - other nodes from the plainest instruction set"
fi
