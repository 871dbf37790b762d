#!/bin/sh
# The signature of search and net: tests/tools/signature.c. It changes with the net and
# with any change of the search; if that is intended:
#
#	UPDATE=1 tests/signature.t	puts the new one into tests/data/signature

cd "$(dirname "$0")/.." || exit 1
: "${TESTS:=$(pwd)/build/gcc/tests}" "${BIN:=$(pwd)/bin}"
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
expected=tests/data/signature

echo 1..5
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

# rewrite NET KIND: the net as train writes it, whatever form its file has
rewrite() {
	cp "nets/$1.onnx" "$scratch/from.onnx" &&
	    "$BIN/train" -q --kind "$2" --steps 0 --checkpoint "$scratch/from.onnx" \
	        -o "$scratch/$1.onnx" </dev/null
}

# lines NET: lines of a prior with their probabilities
lines() {
	"$BIN/priorwalk" -q -N "$1" -I 100 -U 12 -r torpedo+no-castling |
	    sed 's/"net":"[^"]*"//'
}

rewrite default sparse
again=$("$TESTS/signature" "$scratch/default.onnx")
if test "${again% *}" = "${found% *}"; then
	echo "ok 4 - the same from the net written anew"
else
	echo "not ok 4 - other nodes from the net written anew: $again"
fi
rewrite prior prior
lines nets/prior.onnx >"$scratch/lines"
if test -s "$scratch/lines" &&
    lines "$scratch/prior.onnx" | cmp -s - "$scratch/lines"; then
	echo "ok 5 - the prior written anew gives the same probabilities"
else
	echo "not ok 5 - the prior written anew gives others"
fi
