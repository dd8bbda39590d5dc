#!/bin/bash
# Downloads a list with a Slurm array, one task and one folder for each part:  sbatch --array=1-64 docs/scale/slurm.sh foxes.jsonl foxes
#SBATCH --job-name=imgscript
#SBATCH --cpus-per-task=2
#SBATCH --mem=1G
#SBATCH --requeue
set -eu
exec imgscript download --input "$1" --directory "$2/$SLURM_ARRAY_TASK_ID" --progress none \
    --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT"
