#!/bin/bash
# Games go to PGN and back unchanged: pgnwrite and pgnread reproduce what pgnread made
# of a file, byte for byte, with and without comments. And pgn-extract accepts what
# pgnwrite writes, if it knows the rules.

. "$(dirname "$0")/tap.sh"
PATH=$BIN:$TESTS:$PATH:/usr/games
export PATH

# goes_round OPTION FILE ...: true if the games come back as they were
goes_round() {
	pgnread -q "$@" >"$scratch/first" 2>/dev/null
	pgnwrite "$scratch/first" >"$scratch/pgn" &&
	    pgnread -q "$1" "$scratch/pgn" >"$scratch/second" &&
	    cmp "$scratch/first" "$scratch/second" >&2
}

# files_go_round NAME FILE ...: one test for all of them, with and without
# comments; names those that fail
files_go_round() {
	local name=$1 file option wrong=0 games=0
	shift
	for option in --quiet --comments; do
		if ! goes_round $option "$@"; then
			wrong=1
			for file; do
				goes_round $option "$file" ||
				    echo "# $option: $file does not" >&2
			done
		fi
		games=$(wc -l <"$scratch/first")
	done
	test "$wrong" -eq 0 && test "$games" -gt 0
	report $? "$name: $# files, $games games"
}

# ---- every field ----

# Any end goes with any moves here.
fields=tests/data/fields.jsonl
pgnread --trust --comments $fields | cmp - $fields >&2
report $? "pgnread gives every field as it was"
pgnwrite --trust $fields | pgnread --trust --comments | cmp - $fields >&2
report $? "and so it does from PGN"
pgnwrite --trust $fields | awk 'length > 79 && !/^[[;]|aaa|bbb|ccc|%d/ { exit 1 }'
report $? "lines of PGN have less than 80 characters"
pgnwrite --trust $fields >"$scratch/once"
pgnwrite --trust "$scratch/once" | cmp - "$scratch/once" >&2
report $? "pgnwrite gives its own PGN again"
pgnread --trust -c $fields | pgnread --trust -c -z | pgnread --trust -c | cmp - $fields >&2
report $? "JSONL gives itself again, compressed or not"

# ---- files ----

files_go_round "PGN of many kinds" tests/data/pgn/*.pgn
if test -d ../shared/pgn/dialects; then
	mapfile -t files < <(find ../shared/pgn/dialects -name '*.pgn' | sort)
	files_go_round "all dialects" "${files[@]}"
else
	skip "../shared/pgn/dialects is not here"
fi

# The study's games have lists of rules and of moves.
convert='{ v: 1, id, rules: (.rules | join("+")), start: .start_fen,
    moves: (.uci | join(" ")), result: "*" }'
for file in tests/data/games.jsonl ../shared/paper/games.jsonl; do
	if ! test -r $file; then
		skip "$file is not here"
	elif ! command -v jq >/dev/null; then
		skip "jq is missing"
	else
		jq -c "$convert" $file >"$scratch/games"
		pgnread -n "$scratch/games" >"$scratch/counted"
		report $? "$file: every game is legal: $(cat "$scratch/counted")"
		files_go_round $file "$scratch/games"
	fi
done

# ---- random games ----

random_go_round() {
	random_games "$1" "$2" "$3" >"$scratch/random" &&
	    pgnread "$scratch/random" | cmp - "$scratch/random" >&2 &&
	    goes_round --quiet "$scratch/random" &&
	    cmp "$scratch/first" "$scratch/random" >&2
	report $? "$2 random games: $3"
}

presets="classical no-castling no-castling-10 pawn-one-square stalemate-win
torpedo semi-torpedo pawn-back pawn-sideways self-capture"
for rules in $presets; do
	random_go_round 1 60 "$rules"
done
# a rule set of its own for each game, any combination of all fields
random_go_round 7 200 random
for rules in torpedo+no-castling torpedo+pawn-back torpedo+pawn-sideways \
    torpedo+self-capture torpedo+stalemate-win torpedo+no-castling-10 \
    semi-torpedo+pawn-back semi-torpedo+pawn-sideways \
    semi-torpedo+self-capture semi-torpedo+no-castling \
    pawn-one-square+pawn-back pawn-one-square+pawn-sideways \
    pawn-one-square+self-capture pawn-back+pawn-sideways \
    pawn-back+self-capture pawn-sideways+self-capture \
    self-capture+stalemate-win pawn-sideways+stalemate-win \
    pawn-back+no-castling self-capture+no-castling-10 \
    pawn-back+pawn-sideways+self-capture \
    torpedo+pawn-back+pawn-sideways+self-capture \
    torpedo+pawn-back+pawn-sideways+self-capture+stalemate-win+no-castling \
    semi-torpedo+pawn-sideways+self-capture+stalemate-win+no-castling-10; do
	random_go_round 2 30 "$rules"
done
for rules in '{"double_step":4}' '{"castling_from":5,"count_limit":30}' \
    '{"name":"mine","double_step":5,"pawn_back":true,"pawn_sideways":true}' \
    '{"name":"my-rules_2.0","self_capture":true,"ply_limit":77}' \
    '{"base":"torpedo+pawn-sideways","count_limit":10000,"ply_limit":150}'; do
	random_go_round 3 30 "$rules"
done

# ---- another reader ----

for rules in classical no-castling stalemate-win pawn-one-square \
    no-castling-10; do
	if ! command -v pgn-extract >/dev/null; then
		skip "pgn-extract is missing"
		continue
	fi
	random_games 4 200 "$rules" | pgnwrite >"$scratch/pgn"
	games=$(pgn-extract -r "$scratch/pgn" 2>&1 >/dev/null | tail -n 1)
	# It does not know that a stalemate can be won.
	pgn-extract -s -r "$scratch/pgn" 2>&1 |
	    awk '/inconsistent with stalemate/ { rest = 3 } rest-- <= 0' \
	    >"$scratch/said"
	test "$games" = "200 games matched out of 200." &&
	    test ! -s "$scratch/said"
	report $? "pgn-extract takes 200 random games: $rules"
	sed 's/^/# /; 5q' "$scratch/said" >&2
done

# ---- random rule sets of all fields ----

# Through all programs, and to PGN and packed and back; tests/random-rules -n 2000 for more.
tests/random-rules -n 30 >"$scratch/random" 2>&1
report $? "random rule sets: $(tail -n 1 "$scratch/random")"
grep -v ' wrong$' "$scratch/random" | sed 's/^/# /'

finish
