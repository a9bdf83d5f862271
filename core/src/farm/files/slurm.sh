#!/bin/bash
# Bakes a Tribo wedge, a scene a task. Written by `tribo farm slurm`; submit it by slurm_submit.sh.
#SBATCH --job-name=tribo-wedge
#SBATCH --array=@TASKS@
#SBATCH --requeue --open-mode=append --output=farm/slurm-%a.log
#SBATCH --nodes=1 --ntasks=1 --cpus-per-task=@THREADS@ --mem=@MEMORY_MB@M
#SBATCH --time=@HOURS@:00:00 --signal=TERM@120

# There is no trap: where Slurm ends the job itself (scancel, preemption without grace, the limit) the shell dies
# with it, and Slurm requeues what is to be requeued. The shell lives on only where the step alone was asked to
# stop (--signal, preemption with grace: exit code 130) or was killed (128 + signal). Then the task goes back to
# the queue: after a stop always, after a kill twice, because want of memory would kill it for ever.
srun --ntasks=1 @TRIBO_SH@ wedge bake @FOLDER_SH@ --task "$SLURM_ARRAY_TASK_ID" --threads @THREADS@ \
  --blender @BLENDER_SH@@PICTURES_SH@ --progress lines
code=$?
again=no
[ $code -eq 130 ] && again=yes
[ $code -gt 130 ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 2 ] && again=yes
if [ $again = yes ] && scontrol requeue "$SLURM_JOB_ID"; then
  sleep 60 # until Slurm ends this shell
fi
exit $code
