#!/bin/bash
# Pipelines with names that a shell or make would read as more than names, make -n,
# what make builds again, and that presets are those of presets.def wherever they are listed.

. "$(dirname "$0")/tap.sh"
unset MAKEFLAGS MFLAGS NET OUT RULES HOSTS SCALE SEED

needs parallel

# ---- a net's name ----

evil="$scratch/x';touch pwned;echo '\$(shell touch pwned);\`touch pwned\`.onnx"
cp tests/towers/good.onnx "$evil"
make -n -f pipelines/study/Makefile study BIN="$BIN" OUT="$scratch/study" \
    SCALE=tiny NET="${evil//\$/\$\$}" >"$scratch/log" 2>&1
report $? "make study with a net of an odd name"
! test -e pwned
report $? "which is not read as a command"
grep -q 'steps to do' "$scratch/log" && ! find "$scratch/study/games" \
    "$scratch/study/lines" -name '*.zst' 2>/dev/null | grep -q .
report $? "make -n study only lists what there is to do"
(cd "$scratch" && BIN=$BIN "$root/pipelines/strength" -g 2 -j 1 -v 2 \
    "./none;touch pwned" classical) >"$scratch/log" 2>&1
! test -e "$scratch/pwned"
report $? "strength: the net's name is no command"
BAR_SECONDS=0.1 PATH=$BIN:/usr/bin:/bin "$root/pipelines/strength" -g 2 -j 1 -v 2 \
    material classical torpedo >"$scratch/rows" 2>"$scratch/log" &&
    [ "$(wc -l <"$scratch/rows")" -ge 6 ] && grep -qE '^strength: +[0-9]+ %  [0-9]+ of [0-9]+ matches' "$scratch/log"
report $? "strength: all matches are played, and one bar shows their progress"
mkdir "$scratch/early" && printf '#!/bin/sh\nexit 0\n' >"$scratch/early/parallel" && chmod +x "$scratch/early/parallel"
PATH=$scratch/early:$BIN:/usr/bin:/bin "$root/pipelines/strength" -g 2 -v 2 material classical >"$log" 2>&1
[ $? -eq 1 ] && grep -q 'ended before all matches' "$log"
report $? "strength: a parallel that ends early is a failure"
rm -f pwned

# ---- signals ----

# Programs that never end by themselves. Like the real ones they start no others, which
# GNU parallel could miss.
child=
tidy() { test -z "$child" || kill_all; }
mkdir "$scratch/stuck" && ln -s "$BIN"/* "$scratch/stuck" && rm "$scratch"/stuck/{match,selfplay}
for name in match selfplay; do
	cat >"$scratch/stuck/$name" <<END
#!/bin/sh
case " \$* " in
*' --games 0 '*) exec "$BIN/$name" "\$@" ;;
esac
: >"$scratch/waits"
exec sleep 1000
END
	chmod +x "$scratch/stuck/$name"
done
for command in "strength -g 2 material classical torpedo" "compare -d $scratch/compared -N material classical torpedo"; do
	rm -f "$scratch/waits"
	# shellcheck disable=SC2086	# words of it
	BIN=$scratch/stuck behind "$root"/pipelines/$command >"$log" 2>&1
	wait_for rm "$scratch/waits" 2>/dev/null
	kill -TERM "$child"
	wait "$child" 2>/dev/null
	[ $? -eq 143 ] && ! alive
	report $? "${command%% *}: TERM ends it, and all that it has started"
	kill_all
done

# ---- what make builds again ----

# A compiler that writes its name into the file that it should make.
mkdir "$scratch/cc"
cat >"$scratch/cc/one" <<'END'
#!/bin/sh
while [ "$1" != -o ]; do shift; done
echo "${0##*/}" >"$2"
END
cat >"$scratch/cc/ar" <<'END'
#!/bin/sh
touch "$2"
END
chmod +x "$scratch"/cc/*
cp "$scratch/cc/one" "$scratch/cc/two"
# build COMPILER VARIABLE ...: by that compiler
build() {
	make --no-print-directory CC="$scratch/cc/$1" AR="$scratch/cc/ar" BUILD="$scratch/cc/build-$1" \
	    BIN="$scratch/cc/bin" "${@:2}" all 2>&1
}
build one >"$log"; grep -qE '^  CC  .*/uci\.o$' "$log" && [ "$(build one | grep -c '^  ')" -eq 0 ]
report $? "quiet lines; nothing is built twice"
build two >"$log"; [ "$(sort -u "$scratch"/cc/bin/*)" = two ] &&
    build one >"$log" && [ "$(sort -u "$scratch"/cc/bin/*)" = one ] && ! grep -q '^  CC ' "$log"
report $? "another compiler's programs are linked again, and no object is compiled again"
rm "$scratch"/cc/build-one/base/*.o && build one >"$log"; grep -q '^  CC  .*/zio\.o' "$log"
report $? "objects that are missing are compiled"
build one -n CFLAGS=-O1 >"$log"; build one CFLAGS=-O1 >"$log"; grep -q '^  CC  .*/uci\.o$' "$log"
report $? "other flags compile all again, also after make -n"
build one V=1 CFLAGS=-O2 >"$log"; grep -q "^$scratch/cc/one .* -O2 .* -c -o " "$log"
report $? "V=1 shows whole commands"

# ---- messages ----

evil=$(printf 'no\033[31m\a\rfile')
(cd "$scratch" && for command in "play -d $evil -g 1 $evil" "play --$evil" "play -d x -g 1 -N $evil classical" \
    "train -d x $evil" "train -d x --kind $evil" "compare $evil $evil" "page --$evil" "page -d . $evil" "slurm --$evil" \
    "strength -g 2 $evil classical" "study/begin --$evil" "study/begin $evil"; do
	echo "$command" | tr -d '\033\a\r'
	# shellcheck disable=SC2086	# words of it
	"$root"/pipelines/$command
	echo "exit $?"
done) >"$log" 2>&1 </dev/null
[ "$(grep -c '^exit [1-9]' "$log")" -eq 12 ] && ! grep -q "[$(printf '\033\a\r')]" "$log"
report $? "no message passes on what a terminal would obey"

# ---- a start that is over ----

echo '{"start":"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"}' >"$scratch/over.json"
(cd "$scratch" && for command in "play -d x -g 1 -N uniform" "train -d x" "compare -d x classical" "page" "study/begin OUT=x"; do
	# shellcheck disable=SC2086	# words of it
	"$root"/pipelines/$command over.json
	echo "exit $?"
done) >"$log" 2>&1 </dev/null
[ "$(grep -c '^exit 2' "$log")" -eq 5 ] && [ "$(grep -c 'over there (stalemate)' "$log")" -eq 5 ]
report $? "a rule set whose games are over where they begin is refused"
mkdir "$scratch/nomake" && printf '#!/bin/sh\necho compiles >&2\nexit 1\n' >"$scratch/nomake/make" && chmod +x "$scratch/nomake/make"
(cd "$scratch" && for command in "" "-d pages classical" "-W"; do
	# shellcheck disable=SC2086	# words of it
	PATH=$scratch/nomake:$PATH "$root/pipelines/page" $command over.json
	echo "exit $?"
done) >"$log" 2>&1 </dev/null
[ "$(grep -c '^exit 2' "$log")" -eq 3 ] && [ "$(grep -c 'over there (stalemate)' "$log")" -eq 3 ] && ! grep -q compil "$log"
report $? "by page before it compiles anything"

# ---- compare ----

# All games of three plies: drawn, or worth three quarters to White.
(cd "$scratch" && echo '{"ply_limit":3}' >short.json && echo '{"ply_limit":3,"draw_value":50}' >parts.json && echo '{"ply_limit":3}' >again.json &&
    "$root/pipelines/compare" -d compared -N uniform -g 40 -v 2 short.json parts.json again.json 2>&1) >"$log"
grep -qxF 'parts is drawn less often than short: 0 % against 100 %, certain; White scores more, 75 % against 50 %, certain.' "$log" &&
    grep -qxF 'again and short are the same rules.' "$log"
report $? "compare ends with a sentence for each pair"
test "$(awk '$1 == "rules" { t++; for (i = 1; i <= NF; i++) at[$i] = i } t == 1 && $1 == "parts" { print $at["draws"], $at["part_wins"], $at["part_losses"] }' "$log")" = '0 32 0' &&
    grep -qE '^parts +32 .* 0\.750  0\.[67][0-9]+ to 0\.[78][0-9]+ ' "$log" && grep -A 3 '^How games ended:' "$log" | grep -qE '^parts +32$'
report $? "it has part of points, the interval of the score, and ends"
grep -qxF 'Stopped after 32 of 40 games of each: every pair is told apart.' "$log"
report $? "it stops when the question is answered"

# ---- names of rule sets ----

# The gallery by name, and files without .json, wherever rules are named.
(cd "$scratch" && echo '{"pawn_back":true}' >plain && "$root/pipelines/play" -d named -N uniform -g 1 short-range plain -- --sims 2 &&
    "$root/pipelines/compare" -d named2 -N uniform -g 2 -v 2 classical short-range &&
    BIN=$BIN "$root/pipelines/train" -d named3 -k prior -A 64 -g 1 -j 1 -n 1 -M 0 -v 2 -l 6 short-range) >"$log" 2>&1 &&
    zstd -qdc "$scratch/named/short-range.jsonl.zst" | grep -q '"queen":"Q4"' &&
    zstd -qdc "$scratch/named/plain.jsonl.zst" | grep -q '"pawn-back"' &&
    grep -q '"queen":"Q4"' "$scratch/named3/rules/short-short-range.json" && [ -s "$scratch/named3/nets/000001.onnx" ]
report $? "games, compare and train take names of the gallery"
refused=0
for name in kit joblog todo.tsv slurm.tsv slurm.log classical.jsonl.zst classical.jsonl.zst.new 'a b'; do
	echo '{"pawn_back":true}' >"$scratch/$name.json"
	(cd "$scratch" && for command in "play -d own -g 1 -N uniform" "train -d own" "compare -d own classical"; do
		# shellcheck disable=SC2086	# words of it
		"$root"/pipelines/$command "$name.json"
		[ $? -eq 2 ] || echo wrong
	done) >"$log" 2>&1
	grep -q wrong "$log" || [ "$(grep -cF "$name.json: " "$log")" -ne 3 ] || refused=$((refused + 1))
done
[ "$refused" -eq 8 ] && ! find "$scratch/own" -name '*.jsonl.zst*' | grep -q .
report $? "names of files that pipelines write are refused: $refused of 8"

# A study reads rules from any folder, takes names as they are, and runs none of them.
# GOAL=none ends it once it knows its rule sets.
mkdir "$scratch/my rules" "$scratch/cost \$(shell touch ran) 5%20"
for folder in 'my rules' "cost \$(shell touch ran) 5%20"; do
	echo '{"pawn_back":true}' >"$scratch/$folder/back.json"
	rm -rf "$scratch/named4"
	(cd "$scratch" && "$BIN/rulelab" study SCALE=tiny LEARN=0 OUT=named4 GOAL=none "$folder/back.json" >"$log" 2>&1)
	[ "$(cut -f 1 "$scratch/named4/rules.tsv" | tr '\n' ' ')" = 'rules classical back ' ]
	report $? "a study of rules in the folder '$folder'"
done
refused=0
# shellcheck disable=SC2016	# names
for name in 'a b' "it's" 'q"q' '$(touch ran)' '$(shell touch ran)' '`touch ran`' 'a;touch ran' ünïcode 'a*' -dash .dot \
    'a\b' '#c' '%d' 'a$$b' "$(printf 'x%.0s' {1..200})"; do
	echo '{"pawn_back":true}' >"$scratch/my rules/$name.json"
	rm -rf "$scratch/named4"
	(cd "$scratch" && "$BIN/rulelab" study SCALE=tiny LEARN=0 OUT=named4 GOAL=none "my rules/$name.json") >"$log" 2>&1
	[ $? -eq 2 ] && [ ! -e "$scratch/named4/rules.tsv" ] && grep -qF -e "my rules/$name.json: " -e ' 1 to 32 letters' "$log" && refused=$((refused + 1))
done
[ "$refused" -eq 16 ] && [ -z "$(find "$scratch" "$root" -maxdepth 2 -name ran)" ]
report $? "odd names of rule sets are refused by a study: $refused of 16"
# shellcheck disable=SC2016	# a name
(cd "$scratch" && "$BIN/rulelab" study SCALE=tiny OUT=named4 GOAL=none 'RULES=$(shell touch ran)') >"$log" 2>&1
[ -z "$(find "$scratch" "$root" -maxdepth 2 -name ran)" ]
report $? "make does not run what a variable of a study says"

# Labels are any text, here what would end a string of gnuplot.
if command -v gnuplot >/dev/null; then
	mkdir "$scratch/labels"
	printf 'rules\tspec\town\tlabel\nclassical\tclassical\t0\tchess\nmine\tmine\t1\t%s\n' "it's '; print 1; \"my\" \\ \$x_{1}^2 <b>&" >"$scratch/labels/rules.tsv"
	cat >"$scratch/labels/label.gp" <<'END'
W = 300; H = 100
load here.'style.gp'
set title L[2]
plot [0:1] x notitle
END
	OUT=$scratch/labels pipelines/study/plot "$scratch/labels/label.gp" "$scratch/labels/figure" >"$log" 2>&1 &&
	    sed "s/&apos;/'/g; s/&#39;/'/g; s/&quot;/\"/g" "$scratch/labels/figure.svg" | grep -qF "it's '; print 1; \"my\" \\ \$x_{1}^2 &lt;b"
	report $? "a figure has a label with quotes as it is"
else
	skip "gnuplot is missing"
fi

# ---- files of pages ----

# A tree with a compiler that compiles nothing.
mkdir "$scratch/tree" && cp -r pipelines "$scratch/tree" && ln -s "$root/src" "$scratch/tree/src"
printf '%%.wasm:\n\techo wasm >$@\n' >"$scratch/tree/pipelines/board/engine.mk"
printf '#!/bin/sh\n' >"$scratch/tree/pipelines/deps"
# page OPTION ...: in $scratch/pages
mkdir -p "$scratch"/pages/{a,b,'t\n\\x'}
page() { (cd "$scratch/pages" && "$scratch/tree/pipelines/page" -N material -P none "$@") >"$log" 2>&1; }
export XDG_CACHE_HOME=$scratch/cache
for name in a/mine b/Mine a/index 'a/x#?%41 "&<i>' 'a/javascript:alert(1)'; do
	echo '{"pawn_back":true}' >"$scratch/pages/$name.json"
done
page -d all a/mine.json b/Mine.json a/index.json 'a/x#?%41 "&<i>.json' 'a/javascript:alert(1).json'
[ "$(ls "$scratch/pages/all")" = "Mine-2.html
index-2.html
index.html
javascript:alert(1).html
mine.html
x#?%41 \"&<i>.html" ] && [ "$(grep -o 'href="\./[^"]*' "$scratch/pages/all/index.html" | cut -c 7-)" = "./mine.html
./Mine-2.html
./index-2.html
./x%23%3F%2541%20%22%26%3Ci%3E.html
./javascript%3Aalert%281%29.html" ]
report $? "page -d: every page has a file of its own, and a link that is one"
grep -L "Content-Security-Policy\" content=\"default-src 'none'" "$scratch"/pages/all/*.html >"$log"; ! [ -s "$log" ]
report $? "page -d: all of them have a policy"
TMPDIR="$scratch/pages/t\n\\\\x" page -o plain.html && TMPDIR=$scratch page -o usual.html &&
    cmp "$scratch"/pages/{plain,usual}.html >>"$log" && grep -q '<title>Chess<' "$scratch/pages/plain.html"
report $? "page: TMPDIR may have any name"
page -o -x.html && [ -s "$scratch/pages/-x.html" ]
report $? "page: -o may begin with a dash"
ln -s target.html "$scratch/pages/link.html" && page -o link.html &&
    [ -L "$scratch/pages/link.html" ] && [ -s "$scratch/pages/target.html" ]
report $? "page: a link stays, and its target is written"
(unset HOME XDG_CACHE_HOME && page -o homeless.html) && [ -s "$scratch/pages/homeless.html" ]
report $? "page: without a home"
rm "$scratch/pages/homeless.html"
XDG_CACHE_HOME=/proc/none page -o homeless.html && [ -s "$scratch/pages/homeless.html" ]
report $? "page: with a home where nothing can be written"
unset XDG_CACHE_HOME

# ---- themes ----

# A uci that writes down what it is asked.
mkdir "$scratch/asked" && ln -s "$BIN"/* "$scratch/asked" && rm "$scratch/asked/uci"
cat >"$scratch/asked/uci" <<END
#!/bin/sh
tee -a "$scratch/\$4" | "$BIN/uci" "\$@"
END
chmod +x "$scratch/asked/uci"
spec=$(jq -n '{base: "torpedo+three-check"} | tojson' -r)
jq -n -c --argjson rules "$spec" '{v: 1, id: "0", $rules, moves: "e2e4 a7a6 e4e6 a6a5", result: "1-0", end: "resign",
    search: [0.1, 0.1, 0.9, -0.9 | {value: .}]}' | zstd -q >"$scratch/three.zst"
BIN=$scratch/asked pipelines/study/themes three "$spec" material 100 "$scratch/three.zst" >"$log" 2>&1
sed -n 's/^position fen //p' "$scratch/classical" | "$BIN/genmoves" >>"$log" 2>&1 && [ -s "$scratch/classical" ]
report $? "themes: chess is asked of positions that it has"

# The commands of these targets, with pipelines that print what they are given.
mkdir -p "$scratch/fake/pipelines"
for name in page train curves; do
	printf '#!/bin/sh\nprintf "<%%s>" "$@"\n' >"$scratch/fake/pipelines/$name"
	chmod +x "$scratch/fake/pipelines/$name"
done
name="a 'b;touch pwned;\`touch pwned\`.onnx"
make -n -o all play pages train BIN="$BIN" NET="$name" FROM="$name" DIR="$name" OUT="$name" \
    RULES="x;touch pwned y.json" >"$scratch/commands" 2>"$scratch/log" &&
    (cd "$scratch/fake" && sh ../commands) >>"$scratch/log" 2>&1
! test -e "$scratch/fake/pwned" && [ "$(grep -oF "<$name>" "$scratch/log" | wc -l)" -eq 6 ] &&
    [ "$(grep -oF '<x;touch><pwned><y.json>' "$scratch/log" | wc -l)" -eq 3 ]
report $? "make play, pages and train: names are words, not commands"

# ---- a path with a blank ----

mkdir "$scratch/a b" && ln -s "$BIN" "$scratch/a b/bin"
echo '{"ply_limit":20}' >"$scratch/a b/short.json"	# matches of a moment
(cd "$scratch" && BIN="$scratch/a b/bin" "$root/pipelines/train" -d "a b/run" \
    --kind prior -A 64 -g 2 -j 2 -n 1 -M 1 -v 2 -l 20 "a b/short.json") \
    >"$scratch/log" 2>&1
report $? "train in a folder with a blank in its name"
test "$(wc -l <"$scratch/a b/run/matches.jsonl")" -eq 3
report $? "plays all of its matches"
cat >"$scratch/match" <<'END'
#!/bin/sh
exit 1
END
chmod +x "$scratch/match"
mkdir "$scratch/bin" && ln -s "$BIN"/* "$scratch/bin" &&
    ln -sf "$scratch/match" "$scratch/bin/match"
! (cd "$scratch" && BIN=$scratch/bin "$root/pipelines/train" -d run --kind prior \
    -A 64 -g 2 -j 2 -n 1 -M 1 -v 2 -l 20 classical) >"$scratch/log" 2>&1
report $? "matches that fail make train fail"

# A train that prints its batch size and fails.
cat >"$scratch/train" <<'END'
#!/bin/sh
echo "$@" | tr ' ' '\n' | grep -A 1 -x -e --batch | tail -n 1
exit 1
END
chmod +x "$scratch/train" && ln -sf "$scratch/train" "$scratch/bin/train"
# batch KIND OPTION ...: positions in a step; what follows -- is not heard
batch() {
	rm -rf "$scratch/run"
	(cd "$scratch" && BIN=$scratch/bin "$root/pipelines/train" -d run --kind "$1" -g 1 -j 1 -n 1 \
	    -M 0 -v 2 -l 6 "${@:2}" classical -- --batch 64) >"$scratch/log" 2>&1
	cat "$scratch/run/losses.new" 2>>"$scratch/log"
}
[ "$(batch prior) $(batch prior -B 1024) $(batch sparse -B 512)" = '2048 1024 512' ]
report $? "train: the batch that --passes counts in is the one that is learnt in"

# ---- presets ----

mapfile -t presets < <(sed -n 's/^PRESET("\([^"]*\)".*/\1/p' src/chess/presets.def)
# completes FUNCTION WORD ...: what is offered for the last word
completes() (
	. pipelines/completion.bash
	compopt() { :; }
	function=$1 COMP_WORDS=("${@:2}") COMP_CWORD=$(($# - 2))
	"$function" "$2" "${!#}" "${COMP_WORDS[COMP_CWORD - 1]}"
	echo "${COMPREPLY[*]}"
)
{
	completes _rulelab "$BIN/selfplay" --rules ''
	completes _rulelab "$BIN/selfplay" --rules torpedo+three
	completes _rulelab_entry "$BIN/rulelab" match --rules no-castling+three
} >"$scratch/log"
head -n 1 "$scratch/log" | tr ' ' '\n' | grep -xF -f <(printf '%s\n' "${presets[@]}") >"$scratch/offered"
diff "$scratch/offered" <(printf '%s\n' "${presets[@]}") >>"$scratch/log" &&
    test "$(tail -n +2 "$scratch/log" | xargs)" = 'torpedo+three-check no-castling+three-check'
report $? "completion offers the presets"
make -n pages BIN="$BIN" 2>/dev/null | tr -s ' \n' '\n' | grep -xF -f <(printf '%s\n' "${presets[@]}") >"$scratch/offered"
diff "$scratch/offered" <(printf '%s\n' "${presets[@]}") >>"$scratch/log"
report $? "make pages has all presets"

# ---- the gallery ----

# gallery FOLDER RULES: the study's own rule sets for these
gallery() {
	make -n -f pipelines/study/Makefile study BIN="$BIN" OUT="$scratch/$1" SCALE=tiny \
	    RULES="$2" >"$scratch/log" 2>&1 && awk -F '\t' '$3 == 1 { print $1 }' "$scratch/$1/rules.tsv"
}
mapfile -t files < <(ls pipelines/rules/*.json)
mapfile -t names < <(basename -s .json -a "${files[@]}")
test ${#files[@]} -ge 10 &&
    diff <(gallery files "${files[*]}") <(printf '%s\n' "${names[@]}") >>"$scratch/log"
report $? "the study takes the files of the gallery, all at once"
diff <(gallery named "${names[*]}") <(printf '%s\n' "${names[@]}") >>"$scratch/log"
report $? "... and by their names"
echo '{"pawn_back":true}' >"$scratch/torpedo.json"
! gallery other "$scratch/torpedo.json" && grep -q 'has the name of a preset' "$scratch/log"
report $? "but no file that is called like a preset"
# every file has its name, a row that says what it is, and is played to an end
bad=0
for i in "${!files[@]}"; do
	if ! { "$BIN/genmoves" --check-rules "${files[i]}" >>"$scratch/log" 2>&1 && test "$(jq -r .name "${files[i]}")" = "${names[i]}" &&
	    grep -qE "^\| \`${names[i]}\` \| .{12,} \|$" pipelines/rules/README.md &&
	    grep -q "^\.Cm ${names[i]}\b" man/rules.7 &&
	    "$BIN/selfplay" -qN material -g 3 -v 4 --random-plies 6 -r "${names[i]}" | "$BIN/drawstats" --strict 2>>"$scratch/log" |
	    jq -e '.games == 3' >/dev/null; }; then
		echo "${names[i]}" >>"$scratch/log"
		bad=1
	fi
done
test $bad -eq 0 && test "$(grep -c '^| `' pipelines/rules/README.md)" -eq ${#files[@]} && test ${#files[@]} -ge 30
report $? "every rule set of the gallery is told of, loaded and played"
pipelines/games -d "$scratch/played" -N uniform -g 1 "${files[0]}" -- --sims 2 >"$scratch/log" 2>&1 &&
    test -s "$scratch/played/${names[0]}.jsonl.zst"
report $? "a file of the gallery is played"

finish
