#!/bin/bash
# Downloads a list with a Slurm array, one task and one folder for each part:
#   sbatch --array=1-64 docs/scale/slurm.sh foxes.jsonl foxes 64
# What follows goes to imgscript. The folder remembers the number of parts: some of them may be sent again (--array=3,17), and
# another number is refused, since it would cut the list in another way.
#SBATCH --job-name=imgscript
#SBATCH --cpus-per-task=2
#SBATCH --mem=1G
#SBATCH --requeue
set -eu
list=$1 folder=$2 parts=$3
shift 3
mkdir -p "$folder"
noted=$(mktemp "$folder/.parts.XXXXXX")
echo "$parts" > "$noted"
# The first task notes it: a link never replaces.
ln "$noted" "$folder/parts" 2> /dev/null || true
rm -f "$noted"
if [ "$(cat "$folder/parts")" != "$parts" ]; then
    echo "error: $folder was begun with $(cat "$folder/parts") parts (expected the same number, found $parts)" >&2
    exit 64
fi
exec imgscript download --input "$list" --directory "$folder/$SLURM_ARRAY_TASK_ID" --progress none --max-failures 5% \
    --shard "$SLURM_ARRAY_TASK_ID/$parts" "$@"
