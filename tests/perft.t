#!/bin/sh
# Perft tables: the selection in tests/data, one test for each rule set, and all rows
# of ../shared/perft/perft.tsv that take less than PERFT_SECONDS (30) together. The
# same for the tables of all rule fields, as one test each.

cd "$(dirname "$0")/.." || exit 1
: "${BIN:=$(pwd)/bin}" "${PERFT_SECONDS:=30}"
export BIN
all=../shared/perft/perft.tsv more=../shared/perft/more.tsv
variants=../shared/perft/variants.tsv
count=0

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

# compare TABLE NAME: one test
compare() {
	count=$((count + 1))
	if tests/perft-all "$1" >"$scratch/out" 2>&1; then
		echo "ok $count - $2: $(tail -n 1 "$scratch/out")"
	else
		echo "not ok $count - $2"
		sed 's/^/# /' "$scratch/out"
	fi
}

# each_rule_set TABLE PREFIX
each_rule_set() {
	cut -f 1 "$1" | tail -n +2 | sort -u >"$scratch/sets"
	while read -r rules; do
		awk -F '\t' -v rules="$rules" 'NR == 1 || $1 == rules' "$1" \
		    >"$scratch/table"
		compare "$scratch/table" "$2 $rules"
	done <"$scratch/sets"
}

each_rule_set tests/data/perft.tsv "a selection,"
compare tests/data/more.tsv "a selection of all rule fields"
compare tests/data/variants.tsv "hands, explosions, races, spare kinds, sides"

if ! test -r "$all"; then
	count=$((count + 1))
	echo "ok $count # SKIP $all is not here"
else
	# How fast is this build? Under sanitizers it is slow.
	before=$(date +%s%N)
	echo startpos | "$BIN/genmoves" --perft 5 >/dev/null
	after=$(date +%s%N)
	awk -F '\t' 'NR > 1' "$all" |
	    sort -t "$(printf '\t')" -n -k 4,4 |
	    awk -F '\t' -v nanos=$((after - before)) -v most="$PERFT_SECONDS" '
		BEGIN { print "rules\tfen\tdepth\tnodes" }
		(sum += $4) <= 4865609 / nanos * 1e9 * most' >"$scratch/fit"
	echo "# $(($(wc -l <"$scratch/fit") - 1)) of" \
	    "$(($(wc -l <"$all") - 1)) rows fit into $PERFT_SECONDS s"
	each_rule_set "$scratch/fit" "$all,"
fi
if ! test -r "$variants"; then
	count=$((count + 1))
	echo "ok $count # SKIP $variants is not here"
else
	awk -F '\t' 'NR == 1 || $4 < 1e6' "$variants" >"$scratch/few"
	compare "$scratch/few" "$variants"
fi
# The oracle of other tests knows these rules, too.
count=$((count + 1))
if "${TESTS:=build/gcc/tests}/selfcheck" tests/data/variants.tsv 3000 >"$scratch/out"; then
	echo "ok $count - the oracle: $(tail -n 1 "$scratch/out")"
else
	echo "not ok $count - the oracle"
	sed 's/^/# /' "$scratch/out"
fi
if ! test -r "$more"; then
	count=$((count + 1))
	echo "ok $count # SKIP $more is not here"
else
	compare "$more" "$more, every row"
fi
echo "1..$count"
