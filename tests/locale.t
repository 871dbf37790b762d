#!/bin/bash
# Programs and pipelines in a locale with a decimal comma give the bytes that they give
# in C. awk must be mawk, which is Debian's: it reads and writes such commas.

. "$(dirname "$0")/tap.sh"
unset MAKEFLAGS MFLAGS NET OUT RULES HOSTS SCALE SEED USER_LOCALE

needs localedef mawk parallel jq
export LOCPATH=$scratch/locales
mkdir "$LOCPATH" "$scratch/awk"
localedef -i de_DE -f UTF-8 "$LOCPATH/de_DE.UTF-8" >"$log" 2>&1 ||
    [ -e "$LOCPATH/de_DE.UTF-8/LC_NUMERIC" ] || skip_all "the locale de_DE cannot be made"
ln -s "$(command -v mawk)" "$scratch/awk/awk"
export PATH=$scratch/awk:$PATH
[ "$(LC_ALL=de_DE.UTF-8 awk 'BEGIN { printf "%.1f", 1 / 2 }')" = 0,5 ] || skip_all "this awk has no locale"

# alike NAME COMMAND ...: runs the command in folders C and de_DE.UTF-8 of $scratch/NAME,
# with the locale given as LC_ALL and as LANG alone; $made lists what it has made
made=''
alike() {
	local name=$1 locale folder status=0
	for locale in LC_ALL=C LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8; do
		folder=$scratch/$name/$locale
		mkdir -p "$folder"
		(cd "$folder" && unset LC_ALL && export "${locale?}" && "${@:2}") \
		    >"$folder.out" 2>"$log" || status=1
		[ -s "$folder.out" ] || [ -n "$made" ] || status=1
		cmp "$scratch/$name/LC_ALL=C.out" "$folder.out" >>"$log" || status=1
		# shellcheck disable=SC2086	# words of it
		(cd "$folder" && cat $made) | cmp - <(cd "$scratch/$name/LC_ALL=C" && cat $made) >>"$log" 2>&1 || status=1
	done
	report $status "$name"
}

# ---- programs ----

games=$scratch/games.jsonl
for rules in classical torpedo; do
	"$BIN/selfplay" -qN material -g 60 --sims 20 --search-data --sample-plies 8 -r $rules
done >"$games"
alike drawstats "$BIN/drawstats" "$games"
alike "drawstats --compare" "$BIN/drawstats" -t --compare "$games"
alike gamestats "$BIN/gamestats" "$games"
alike movestats "$BIN/movestats" "$games"
alike piecefit "$BIN/piecefit" "$games"
alike selfplay "$BIN/selfplay" -qN material -g 3 --sims 20 --search-data --noise 0.3 --sample-plies 6
alike match "$BIN/match" -q --games 4 --sims 10 material greedy
alike priorwalk "$BIN/priorwalk" -N material --lines 5 --plies 4
# shellcheck disable=SC2016	# for the inner shell
alike uci sh -c 'printf "position startpos\ngo nodes 50\n" | "$BIN/uci" -N material | grep ^bestmove'
printf 'measure\tours\ttheirs\na\t1.5\t0.5\na\t2.5\t0.75\na\t4.5\t0.7\n' >"$scratch/pairs.tsv"
alike rankcorr "$BIN/rankcorr" "$scratch/pairs.tsv"
printf 'rules\tsims\tdraw_rate\tdraw_rate_lo\tdraw_rate_hi\na\t1\t.5\t.4\t.6\na\t2\t.6\t.5\t.7\na\t4\t.6\t.5\t.7\n' >"$scratch/rows.tsv"
alike trend "$BIN/trend" "$scratch/rows.tsv"

# ---- pipelines ----

made='games/torpedo.jsonl.zst'
alike games "$root/pipelines/games" -d games -N material -g 4 -j 1 torpedo -- --sims 10
made=''
alike compare "$root/pipelines/compare" -d games -N material -g 8 -v 10 classical torpedo
alike strength env PATH="$PATH" "$root/pipelines/strength" -g 2 -j 1 -v 4 -n 1 material classical
made='run/nets/000002.onnx'
alike train "$root/pipelines/train" -d run -k prior -A 64 -B 4 -g 4 -j 1 -n 2 -M 0 -v 2 -l 150 classical torpedo
# a run with numbers between 0 and 1 everywhere, and a folder with an odd name
made='run/curves.svg'
curves() {
	mkdir -p run "$scratch/it's \\n" && cp "$scratch"/curves/*.jsonl run && TMPDIR="$scratch/it's \\n" "$root/pipelines/curves" run
}
if command -v gnuplot >/dev/null; then
	mkdir "$scratch/curves"
	for g in 1 2 3; do
		jq -nc --argjson g $g '{generation: $g, kind: ("learnt", "held-out"), value_loss: (0.5 / $g)}' >>"$scratch/curves/losses.jsonl"
		jq -nc --argjson g $g '{generation: $g, games: 10, plies_mean: 70.25, draws: (2 + $g)}' >>"$scratch/curves/games.jsonl"
		jq -nc --argjson g $g '{generation: $g, b: "random", score: (0.5 + $g / 10), score_se: 0.05}' >>"$scratch/curves/matches.jsonl"
	done
	alike "curves" curves
else
	skip "gnuplot is missing"
fi

finish
