#!/bin/bash
# make install: everything works without the source tree, wherever the
# installation is moved to; make uninstall leaves nothing.

. "$(dirname "$0")/tap.sh"

# make_it TARGET VARIABLE ...: runs make with the tested programs
make_it() {
	case $BIN in
	*/build/san/bin) set -- "$@" SAN=1 ;;
	esac
	env -u MAKEFLAGS -u MFLAGS make -s "$@" >"$log" 2>&1
}

# tree DIR: what is there, sorted
tree() { (cd "$1" && find . ! -type d | sort); }

make_it install DESTDIR="$scratch/first" PREFIX=/usr
report $? "make install DESTDIR= PREFIX="
moved=$scratch/elsewhere
mv "$scratch/first/usr" "$moved"
cd "$scratch" || exit 1

# run COMMAND ...: with an empty environment
run() {
	env -i HOME="$scratch" PATH="$moved/bin:/usr/bin:/bin" LC_ALL=C "$@" 2>"$log"
}

for name in distance entropy match train uci; do
	test ! -e "$moved/bin/$name" && test -x "$moved/libexec/rulelab/$name" &&
	    test -e "$moved/share/man/man1/rulelab-$name.1"
	report $? "$name is not in bin, but in libexec"
done
test "$(run rulelab --list | grep -cxE 'match|uci|selfplay|drawstats')" -eq 4
report $? "rulelab lists programs"
test "$(run rulelab --net-path default)" = "$(realpath "$moved/share/rulelab/nets/default.onnx")"
report $? "the default net is the installed one"
run selfplay -g 1 -v 4 | grep -q '"rules":"classical"'
report $? "selfplay plays without a --net"
printf 'position startpos moves f2f3 e7e5 g2g4\ngo nodes 400\n' |
    run rulelab uci | grep -q 'bestmove d8h4'
report $? "rulelab uci finds a mate"
if command -v man >/dev/null && ! man -w nosuchpage 2>&1 | grep -q minimized; then
	run man -M "$moved/share/man" rulelab | grep -q RULELAB
	report $? "man rulelab"
	run rulelab help match | grep -q 'MATCH(1)'
	report $? "rulelab help match"
else
	skip "man rulelab: man is missing"
	skip "rulelab help: man is missing"
fi
if command -v parallel >/dev/null && command -v zstd >/dev/null; then
	echo '{"base":"torpedo+pawn-back"}' >mine.json
	run rulelab compare -d games -g 4 -v 4 classical mine.json >out
	test $? -eq 0 && test "$(grep -c '^classical ' out)" -eq 2 && grep -q 'mine and classical: .* against .*White scores' out
	report $? "rulelab compare plays and compares"
	cmp -s games/kit/net.onnx "$moved/share/rulelab/nets/default.onnx"
	report $? "with the installed net"
else
	skip "rulelab compare: GNU parallel or zstd is missing"
	skip "rulelab compare: GNU parallel or zstd is missing"
fi

cd "$OLDPWD" || exit 1
(git ls-files pipelines || find pipelines ! -type d ! -name '*.new') 2>/dev/null | while read -r file; do
	test -e "$moved/share/rulelab/$file" || echo "$file"
done >"$log"
test ! -s "$log"
report $? "all pipelines are installed, links too"
make_it install PREFIX="$scratch/plain" PLAIN_NAMES=1 &&
    test -x "$scratch/plain/bin/train" -a -x "$scratch/plain/bin/match" &&
    test -e "$scratch/plain/share/man/man1/train.1"
report $? "PLAIN_NAMES=1 puts all programs into bin"
test -z "$(find "$scratch/plain" -xtype l)"
report $? "no link leads nowhere"
make_it install PREFIX="$scratch/plain" && make_it uninstall PREFIX="$scratch/plain" &&
    test -z "$(tree "$scratch/plain")"
report $? "make uninstall leaves no file"
tree "$scratch/plain" >"$log"

finish
