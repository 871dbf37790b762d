#!/bin/bash
# pipelines/slurm: an array job plays the games of one machine, byte for byte,
# with a real Slurm that is started here: its own munged, slurmctld, slurmd,
# keys, ports and folder.

. "$(dirname "$0")/tap.sh"
PATH=$PATH:/usr/sbin:/sbin
export PATH
needs parallel zstd flock munged slurmctld slurmd sbatch scontrol
if [ "$(id -u)" -ne 0 ]; then
	skip_all "only root can start a Slurm of its own"
fi
slurm=$PWD/pipelines/slurm
started=()
cd "$scratch" || exit 1

tidy() {
	local p
	for p in "${started[@]}"; do
		kill "$p" 2>/dev/null
	done
	wait 2>/dev/null
}

# ---- a cluster of one node ----

mkdir munge state spool
chmod 700 munge
head -c 1024 /dev/urandom >munge/key
chmod 400 munge/key
port=$((20000 + $$ % 20000))
cat >slurm.conf <<END
ClusterName=rulelab
SlurmctldHost=$(uname -n)(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$scratch/munge/socket
StateSaveLocation=$scratch/state
SlurmdSpoolDir=$scratch/spool
SlurmctldPidFile=$scratch/slurmctld.pid
SlurmdPidFile=$scratch/slurmd.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,batch_sched_delay=0
ReturnToService=2
MailProg=/bin/true
MpiDefault=none
NodeName=$(uname -n) NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF=$scratch/slurm.conf
: >log
munged --foreground --force --key-file=munge/key --socket=munge/socket \
    --pid-file=munge/pid --log-file=munge/log --seed-file=munge/seed >>log 2>&1 &
started+=($!)
slurmctld -D -f slurm.conf >>slurmctld.log 2>&1 &
started+=($!)
slurmd -D -f slurm.conf >>slurmd.log 2>&1 &
started+=($!)
is_idle() { scontrol show node 2>/dev/null | grep -q 'State=IDLE '; }
for ((i = 0; i < 200; i++)); do	# where none can run this is a SKIP
	is_idle && break
	sleep 0.2
done
if ! is_idle; then
	tail -n 5 munge/log slurmctld.log slurmd.log | sed 's/^/# /' >&2
	skip_all "Slurm does not run here"
fi

# ---- games ----

games=8
search=(--sims 40 --sample-plies 20 --noise 1)
for rules in torpedo restless; do
	[ $rules = torpedo ] || echo '{"base":"torpedo+pawn-back","stalemate_wins":true}' >restless.json
	"$BIN/selfplay" --games $games --seed 7 -N material "${search[@]}" \
	    -r "$([ $rules = torpedo ] && echo torpedo || echo restless.json)" >$rules.want 2>>log
done
play() {	# DIR OPTION ...
	timeout 300 "$slurm" -d "$1" -N material -g $games -b 2 -s 7 "${@:2}" -- "${search[@]}" >>log 2>&1
}
same() {	# DIR RULES ...
	local name
	for name in "${@:2}"; do
		zstd -dcq "$1/$name.jsonl.zst" | cmp - "$name.want" >>log 2>&1 || return 1
	done
}

play far -j 2 torpedo restless.json && same far torpedo restless
report $? "an array job: the games of one machine"
[ -z "$(find far/kit -type l)" ]
report $? "nodes need no library of ours"
touch -d yesterday far/*.jsonl.zst
play far torpedo restless.json && [ -z "$(find far -name '*.jsonl.zst' -maxdepth 1 -mtime -0.5)" ]
report $? "what is done is left alone"

# A node dies with its tasks: they fail, and are played when it is back.
rm far/torpedo/*.zst far/torpedo.jsonl.zst
play far torpedo restless.json &
child=$!
for ((i = 0; i < 300; i++)); do
	squeue -h 2>/dev/null | grep -q . && break
	sleep 0.05
done
scancel --name=rulelab 2>>log
wait "$child"
play far torpedo restless.json && same far torpedo restless
report $? "scancel in the middle, and then the rest is played"

timeout 60 "$slurm" -d other -N material -g 1 nosuch >>log 2>&1
[ $? -eq 2 ]
report $? "refused: an unknown rule set"
timeout 60 "$slurm" -d other -N material -g 1 -S hosts torpedo >>log 2>&1
[ $? -eq 2 ]
report $? "refused: hosts"

finish
