#!/bin/bash
# pipelines/games and train over real hosts: sshd with its own keys, each host in
# a network namespace of its own where root may make them, else at a port of
# loopback. One host is killed in the middle, one is cut off; the games are
# those of one machine, byte for byte.

. "$(dirname "$0")/tap.sh"
PATH=$PATH:/usr/sbin:/sbin
export PATH
needs parallel zstd flock rsync ssh sshd ssh-keygen
play=$PWD/pipelines/games
train=$PWD/pipelines/train
child=
cd "$scratch" || exit 1
chmod 755 .
unset PARALLEL PARALLEL_SSH
export PARALLEL_HOME=$scratch/parallel
mkdir parallel hosts
spaces=()

tidy() {
	local host
	[ -z "$child" ] || kill -TERM "$child" 2>/dev/null
	for host in north south; do
		cut_power "$host"
	done
	for host in "${spaces[@]}"; do
		ip netns del "$host" 2>/dev/null
	done
}

# ---- hosts ----

ssh-keygen -q -t ed25519 -N '' -f host_key && ssh-keygen -q -t ed25519 -N '' -f key ||
    exit 1

# A host's home is a folder of its own, with an empty environment.
cat >enter <<END
#!/bin/sh
cd "$scratch/hosts/\$1" || exit 255
exec env -i HOME="\$PWD" PATH=/usr/bin:/bin SHELL=/bin/sh sh -c "\$SSH_ORIGINAL_COMMAND"
END
chmod 755 enter

# make_space HOST NET: a namespace for it, with a cable to us
make_space() {
	local space=rl-$1-$$ link=rl$2-$(($$ % 10000))
	[ "$(id -u)" -eq 0 ] && command -v ip >/dev/null || return 1
	ip netns add "$space" 2>>log || return 1
	spaces+=("$space")
	ip link add "$link" type veth peer name inside netns "$space" 2>>log &&
	    ip addr add "10.213.$2.1/30" dev "$link" && ip link set "$link" up &&
	    ip -n "$space" addr add "10.213.$2.2/30" dev inside &&
	    ip -n "$space" link set inside up && ip -n "$space" link set lo up
}

# start_host HOST ADDRESS PORT [COMMAND ...]: sshd, run by this command
start_host() {
	mkdir -p "hosts/$1"
	cat >"sshd-$1" <<-END
	ListenAddress $2
	Port $3
	HostKey $scratch/host_key
	AuthorizedKeysFile $scratch/key.pub
	PidFile $scratch/pid-$1
	ForceCommand $scratch/enter $1
	SetEnv HOME=$scratch/hosts/$1
	StrictModes no
	UsePAM no
	PasswordAuthentication no
	PermitRootLogin yes
	MaxStartups 100
	END
	cat >>config <<-END
	Host $1
	HostName $2
	Port $3
	END
	mkdir -p /run/sshd 2>/dev/null
	# in a session of its own, so that all of it can be killed
	"${@:4}" "$(command -v sshd)" -f "$scratch/sshd-$1" -E "$scratch/sshd.log"
}

# pids HOST: sshd and all below it
pids() {
	local all more
	if [ -n "$spaced" ]; then
		ip netns pids "rl-$1-$$" 2>/dev/null
		return
	fi
	all=$(cat "pid-$1" 2>/dev/null) || return 0
	more=$all
	while [ -n "$more" ]; do
		# shellcheck disable=SC2086
		more=$(pgrep -P "$(echo $more | tr ' ' ,)" | xargs)
		all+=" $more"
	done
	echo "$all"
}

# at_work HOST: first games of the shards that it is playing and is not yet allowed
# to finish
at_work() {
	pids "$1" | xargs -r ps -o args= -p |
	    sed -n 's/.*selfplay.* --first \([0-9]*\) .*/\1/p' |
	    awk -v allowed="$(cat allowed)" '$1 >= allowed' | sort -un | xargs
}

works() { lost=$(at_work "$1") && [ -n "$lost" ]; }

# kill_host HOST: as if its power were cut for good; the shards it was playing are in
# $lost
kill_host() {
	wait_for works "$1"
	cut_power "$1"
}

cut_power() {
	local i p
	for i in 1 2 3; do
		p=$(pids "$1" | xargs)
		[ -n "$p" ] || break
		# shellcheck disable=SC2086
		kill -KILL $p 2>/dev/null
	done
	rm -f "pid-$1"
}

cat >config <<END
IdentityFile $scratch/key
IdentitiesOnly yes
UserKnownHostsFile /dev/null
StrictHostKeyChecking no
BatchMode yes
LogLevel ERROR
ConnectTimeout 3
ServerAliveInterval 1
ServerAliveCountMax 3
END
export PARALLEL_SSH="ssh -F $scratch/config"

: >log
spaced=yes
if make_space north 1 && make_space south 2; then
	start_host north 10.213.1.2 22 ip netns exec "rl-north-$$"
	start_host south 10.213.2.2 22 ip netns exec "rl-south-$$"
	where="in network namespaces"
else
	spaced=
	port=$((20000 + $$ % 20000))
	start_host north 127.0.0.1 "$port"
	start_host south 127.0.0.1 $((port + 1))
	where="at ports of loopback"
fi
answers() { # shellcheck disable=SC2029
	[ "$(ssh -F config "$1" 'pwd' 2>>log)" = "$scratch/hosts/$1" ]; }
both_answer() { answers north && answers south; }
for ((i = 0; i < 100; i++)); do	# where none may listen this is a SKIP, in seconds
	both_answer && break
	sleep 0.1
done
if ! both_answer; then
	cat sshd.log log | sed 's/^/# /' >&2
	skip_all "sshd does not answer here"
fi
echo "# two hosts $where"

# ---- games ----

# A selfplay that waits until games are allowed, so that no run ends before its host
# is killed.
mkdir odd
cp "$BIN/rulelab" odd
cat >odd/selfplay <<END
#!/bin/sh
first=0 all="\$*"
case \$all in
*"--first "*) first=\${all#*--first } first=\${first%% *} ;;
esac
while test "\$first" -ge "\$(cat "$scratch/allowed")"; do
	sleep 0.1
done
exec "$BIN/selfplay" "\$@"
END
chmod +x odd/selfplay
allow() { echo "$1" >allowed; }

games=12
search=(--sims 40 --sample-plies 20 --noise 1)
for rules in torpedo no-castling; do
	"$BIN/selfplay" --games $games --seed 7 -N material -r $rules \
	    "${search[@]}" >$rules.want 2>>log
done
printf '2/north\n2/south\n' >hostfile

# play DIR RULES ...
play() {
	"$play" -d "$1" -N material -g $games -b 2 -s 7 -S hostfile "${@:2}" -- \
	    "${search[@]}" >>log 2>&1
}

same() {	# DIR RULES ...
	local name
	for name in "${@:2}"; do
		zstd -dcq "$1/$name.jsonl.zst" | cmp - "$name.want" >>log 2>&1 || return 1
	done
}
hosts_of() { tail -n +2 "$1/joblog" | awk -F '\t' '$7 == 0 { print $2 }' | sort -u | xargs; }
shards() { find "$1" -path '*/*-*.jsonl.zst' 2>/dev/null | wc -l; }
has_shards() { [ "$(shards "$1")" -ge "$2" ]; }	# DIR N
clean() { [ -z "$(find "hosts/$1" -mindepth 1)" ]; }

play far torpedo no-castling && same far torpedo no-castling
report $? "two hosts: the games of one machine"
[ "$(hosts_of far)" = "north south" ]
report $? "both have played"
clean north && clean south
report $? "and nothing is left there"

# lose_host DIR COMMAND ...: loses a host with some shards done, others not
lose_host() {
	local status
	allow 6
	(BIN=$scratch/odd play "$1" torpedo) &
	child=$!
	wait_for has_shards "$1" 1
	# its jobs are under way by now: they wait
	"${@:2}"
	allow $games
	wait "$child"
	status=$?
	child=
	[ $status -eq 0 ] && same "$1" torpedo
}

lose_host killed kill_host north
report $? "a host is killed in the middle: the games of one machine"
# The job log has the run that delivered a shard; its second column is the host.
played_by() {	# DIR FIRST
	awk -F '\t' -v first="--first $2 " '$7 == 0 && index($9, first) { print $2 }' "$1/joblog"
}
taken_over() {
	local first
	[ -n "$lost" ] || return 1
	for first in $lost; do
		[ "$(played_by killed "$first")" = south ] || return 1
	done
}
taken_over
report $? "its unfinished shards ($lost) were played by the other one"
[ "$(tail -n +2 killed/joblog | awk -F '\t' '$7 == 0 { print $9 }' | sort -u | wc -l)" -eq $((games / 2)) ]
report $? "and every shard came in once"

if [ -n "$spaced" ]; then
	start_host north 10.213.1.2 22 ip netns exec "rl-north-$$"
	lose_host cut ip -n "rl-north-$$" link set inside down
	report $? "a host is cut off in the middle: the games of one machine"
	ip -n "rl-north-$$" link set inside up
else
	start_host north 127.0.0.1 "$port"
	skip "a host is cut off: no network namespaces here"
fi

# ---- training ----

learn() {	# DIR OPTION ...
	"$train" -k prior -d "$1" -A 64 -g 2 -n 2 -v 2 -l 20 -M 0 -j 2 "${@:2}" torpedo >>log 2>&1
}
learn alone && learn over -S hostfile &&
    cmp alone/net.onnx over/net.onnx >>log 2>&1
report $? "train on two hosts: the net of one machine"

finish
