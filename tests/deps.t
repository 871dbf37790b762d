#!/bin/bash
# pipelines/onnxruntime where nothing can be fetched: it says what failed and what
# to do, in seconds, and does not try again unless asked to. What pipelines/deps
# installs for whom.
. "$(dirname "$0")/tap.sh"

log=$scratch/err

mkdir "$scratch"/{bin,pipelines,home,home/include}
cp pipelines/onnxruntime "$scratch/pipelines"
# A mirror at a port where nothing listens; npm is not needed.
cat >"$scratch/bin/apt-get" <<'END'
#!/bin/sh
echo "apt-get $*" >>"$(dirname "$0")/../calls"
printf "'http://127.0.0.1:9/%s/dists/x/InRelease' x 0\\n" debian
END
cat >"$scratch/bin/npm" <<'END'
#!/bin/sh
echo npm >>"$(dirname "$0")/../calls"
exit 1
END
chmod +x "$scratch"/bin/*

# fetch [OPTION]: its status
fetch() {
	env -u ORT_HOME PATH="$scratch/bin:$PATH" timeout 60 \
	    "$scratch/pipelines/onnxruntime" "$@" >"$scratch/out" 2>"$scratch/err"
}

if [ -e /usr/include/onnxruntime ] || [ -e /usr/include/onnxruntime_c_api.h ]; then
	echo '1..0 # SKIP the system has an ONNX Runtime, so nothing would be fetched'
	exit
elif ! [ -x /usr/lib/apt/apt-helper ]; then
	echo '1..0 # SKIP apt-helper is missing'
	exit
fi
! fetch; report $? 'a mirror that cannot be reached is a failure'
grep -q 'cannot fetch ort.deb' "$scratch/err"; report $? 'which says what failed'
grep -q ORT_HOME "$scratch/err"; report $? 'and names ORT_HOME'
! grep -qw npm "$scratch/calls"; report $? 'npm is not called for that'
rm "$scratch/calls"
! fetch --once; report $? '--once still fails'
! [ -e "$scratch/calls" ]; report $? 'but does not try again'
grep -q 'cannot fetch ort.deb; to try again' "$scratch/err"
report $? 'and says since when and why'
! fetch && [ -e "$scratch/calls" ]; report $? 'without --once it does try'

# A mirror that takes the call and says nothing, as behind many a firewall.
mkfifo "$scratch/port"
perl -MIO::Socket::INET -e '$| = 1;
    my $s = IO::Socket::INET->new(Listen => 9, LocalAddr => "127.0.0.1") or die;
    print $s->sockport, "\n"; my @calls; push(@calls, $s->accept) while 1' >"$scratch/port" &
mirror=$!
tidy() { kill "$mirror" 2>/dev/null; }
read -r port <"$scratch/port"
sed -i "s/127.0.0.1:9/127.0.0.1:$port/" "$scratch/bin/apt-get"
sed -i 's/^silence=10$/silence=2/' "$scratch/pipelines/onnxruntime"
! fetch && grep -q 'cannot fetch ort.deb' "$scratch/err"
report $? 'a silent mirror is given up within a minute, and that is said'
kill "$mirror"

touch "$scratch/home/include/onnxruntime_c_api.h"
env ORT_HOME="$scratch/home" "$scratch/pipelines/onnxruntime" --once \
    >"$scratch/out" 2>"$scratch/err"
report $? "the user's own is taken all the same"
! [ -e "$scratch/onnxruntime/failed" ]; report $? 'and the failure forgotten'
! grep -qw npm pipelines/deps; report $? 'deps installs no npm'

# ---- pipelines/deps on a machine that has hardly a program, and no apt-get ----

mkdir "$scratch/few"
ln -s "$(command -v dirname)" "$(command -v ls)" "$scratch/few"
sed 's/^PATH=.*//' pipelines/deps >"$scratch/pipelines/deps"
# lacks GOAL: what deps finds missing for it
lacks() { env PATH="$scratch/few" /bin/sh "$scratch/pipelines/deps" "$1" 2>&1; }
lacks test >"$log"
grep -qw chromium "$log" && grep -qw clang "$log"
report $? 'the tests are given a browser and a compiler to WebAssembly'
lacks study >"$log"
grep -qw parallel "$log" && ! grep -qE 'chromium|clang|strace' "$log"
report $? 'the study does without them'
! lacks page >"$log" && grep -qw clang "$log" && ! grep -qw gcc "$log"
report $? 'a page needs the second only, and cannot do without'
lacks '' >"$log"; test $? -eq 2; report $? 'no goal is wrong usage'
finish
