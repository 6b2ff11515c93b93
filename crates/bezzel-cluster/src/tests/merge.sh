#!/bin/bash
# Merges what the array bezzel-first-look-1f00ba5e has found, and reports.
# Written by `bezzel submit`. By hand: sbatch --dependency=afterany:ARRAY, and this file; or its
# last line, anywhere, at any time, and as often as you like.

#SBATCH --job-name=bezzel-first-look-1f00ba5e-merge
#SBATCH --chdir="/home/ada"
# Back into the queue when the node fails or a job of higher priority takes it.
#SBATCH --requeue --open-mode=append
# Limits of the shell that submits are none of the job's; variables are, since they tell where
# programs and libraries are.
#SBATCH --propagate=NONE --export=ALL
#SBATCH --partition="long"
#SBATCH --account="queens"
# Should what it waits for not be possible any more, it goes.
#SBATCH --kill-on-invalid-dep=yes
#SBATCH --output="/home/ada/experiments/first-look/shards/0002/log/merge_%j.log"
#SBATCH --time=60
#SBATCH --mem=2048M
#SBATCH --nodes=1 --ntasks=1 --cpus-per-task=1

exec '/opt/bezzel/bin/bezzel' merge --report --quiet --root '/home/ada' -- 'first-look'
