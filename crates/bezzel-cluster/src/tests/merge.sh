#!/bin/bash
# Merges what the array bezzel-first-look-1f00ba5e has found, and reports.
# Written by `bezzel submit`. By hand: sbatch --dependency=afterany:ARRAY, and this file; or its
# last line, anywhere, at any time, and as often as you like.

#SBATCH --job-name=bezzel-first-look-1f00ba5e-merge
#SBATCH --chdir="/home/ada"
# Back into the queue when the node fails or a job of higher priority takes it.
#SBATCH --requeue --open-mode=append
# Limits of the shell that submits are none of the job's; variables are, since they name the
# places of programs and libraries.
#SBATCH --propagate=NONE --export=ALL
#SBATCH --partition="long"
#SBATCH --account="queens"
# If the job that it waits for cannot end any more, it leaves the queue.
#SBATCH --kill-on-invalid-dep=yes
#SBATCH --output="/home/ada/experiments/first-look/shards/0002/log/merge_%j.log"
#SBATCH --time=60
#SBATCH --mem=2048M
#SBATCH --nodes=1 --ntasks=1 --cpus-per-task=1

exec '/opt/bezzel/bin/bezzel' merge --report --quiet --root '/home/ada' -- 'first-look'
