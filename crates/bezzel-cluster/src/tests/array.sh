#!/bin/bash
# Shards of the experiment first-look: task K of this array does shard K.
# Written by `bezzel submit`. It can be submitted by hand: sbatch, and this file.
#
# A task may begin again at any time, even after its end. What any attempt at its shard has
# found is passed over, and each attempt writes rows to a file of its own.

#SBATCH --job-name=bezzel-first-look-1f00ba5e
#SBATCH --chdir="/home/ada"
# Back into the queue when the node fails or a job of higher priority takes it.
#SBATCH --requeue --open-mode=append
# Limits of the shell that submits are none of the job's; variables are, since they tell where
# programs and libraries are.
#SBATCH --propagate=NONE --export=ALL
#SBATCH --partition="long"
#SBATCH --account="queens"
#SBATCH --array=1-9%2
# Array and task in the names of logs; a task that begins again adds to its own.
#SBATCH --output="/home/ada/experiments/first-look/shards/0002/log/%A_%a.log"
# For all jobs that a task runs at the same time, and Bezzel beside them, which keeps the
# limits of each job itself: these limits apply to the whole task.
#SBATCH --time=90
#SBATCH --mem=2304M
#SBATCH --nodes=1 --ntasks=1 --cpus-per-task=2
# A CPU is a core here, with no second thread: two threads of one core slow each other down,
# and the time of each would include work of the other.
#SBATCH --hint=nomultithread
# Nobody else on the node, who would share its memory and caches.
#SBATCH --exclusive

# In place of this shell, so that Slurm's TERM reaches it.
exec '/opt/bezzel/bin/bezzel' run '/home/ada/experiments/first-look/shards/0002' --shard "$SLURM_ARRAY_TASK_ID/9" --quiet
