#!/usr/bin/env bash
# usage: tests/soak/slurm.sh PROGRAM
#
# The two scripts of docs/cluster.md, run as they stand there under Slurm on this one node (Debian: slurm-wlm; as root;
# without systemd and munge): the stores that they make answer as the files do, and tasks without PMI are refused.
# Skipped with exit status 0 where Slurm is not installed.
set -eu
program=$(realpath "$1")
root=$(cd "$(dirname "$0")/../.." && pwd)
if ! command -v slurmctld >/dev/null || ! command -v slurmd >/dev/null || [ "$(id -u)" -ne 0 ]; then
    echo "skipped: slurmctld, slurmd and root are needed"
    exit 0
fi

work=$(mktemp -d)
host=$(hostname -s)
export SLURM_CONF=$work/slurm.conf
pids=()
leave() {
    [ ${#pids[@]} -eq 0 ] || kill "${pids[@]}" 2>/dev/null || true
    wait
    rm -rf "$work"
}
trap leave EXIT

cat >"$SLURM_CONF" <<END
ClusterName=wattscale
SlurmctldHost=$host
AuthType=auth/none
CredType=cred/none
MpiDefault=none
ProctrackType=proctrack/linuxproc
ReturnToService=2
SlurmctldPidFile=$work/ctld.pid
SlurmdPidFile=$work/d.pid
SlurmdSpoolDir=$work/spool
StateSaveLocation=$work/state
SlurmUser=root
SlurmctldPort=16817
SlurmdPort=16818
SchedulerType=sched/backfill
SelectType=select/cons_tres
TaskPlugin=task/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
JobAcctGatherType=jobacct_gather/none
SlurmctldLogFile=$work/ctld.log
SlurmdLogFile=$work/d.log
NodeName=$host CPUs=$(nproc) State=UNKNOWN
PartitionName=p Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
mkdir "$work/state" "$work/spool" "$work/bin"
slurmctld -D 2>/dev/null &
pids+=($!)
slurmd -D 2>/dev/null &
pids+=($!)
for ((i = 0; i < 60; i++)); do
    ! sinfo -h -o %T 2>/dev/null | grep -q idle || break
    sleep 1
done
sinfo -h -o %T | grep -q idle || {
    tail -n 5 "$work"/*.log
    echo "Slurm does not start"
    exit 1
}

# The scripts as docs/cluster.md has them.
awk -v folder="$work" '/^```bash$/ { getline first; getline name; split(name, word, "[ :]"); file = folder "/" word[2]
                                     print first >file; next }
                       /^```/ { file = "" } file { print >file }' "$root/docs/cluster.md"
ln -s "$program" "$work/bin/wattscale"
export PATH=$work/bin:$PATH
cd "$work"
cp -a "$root/datasets/demo" campaign
find campaign -type f -exec touch -d '2026-01-01 10:00:00.123456789' {} +
wattscale runs campaign --all-columns --format csv >whole 2>notes

same() { # WHAT
    wattscale runs campaign --all-columns --format csv >got 2>got-notes
    cmp whole got && cmp notes got-notes
    grep -q "0 read, 127 as they were" <(wattscale ingest campaign -q) || {
        echo "$1 has not read everything"
        exit 1
    }
    rm -f campaign/*.wattscale
}

sbatch -Q --wait --array=1-4 cluster-array.sh campaign
ls campaign/campaign.[1-4]-of-4.wattscale >/dev/null
wattscale merge campaign/campaign.*-of-4.wattscale -o campaign/campaign.wattscale
same "the array"
said="an array of 4"

srun -Q --ntasks=2 --oversubscribe wattscale energy campaign >refused 2>&1 && exit 1
grep -q 'srun --mpi=pmix' refused
said="$said; tasks without PMI refused"

if [ -f "$(dirname "$program")/wattscale-mpi.so" ]; then
    srun -Q --mpi=pmix --ntasks=1 sh -c 'wattscale --version && wattscale --version' >/dev/null
    WATTSCALE_MPI="time" sbatch -Q --wait --ntasks=2 cluster-mpi.sh campaign
    grep -q '2 ranks' wattscale-*[0-9].log
    same "the ranks"
    said="$said; 2 ranks"
fi
echo "$said: the same bytes"
