#!/bin/bash
# Submits a Tribo wedge to Slurm: an array of bakes, and the contact sheet once all of them have ended, well or
# not. Written by `tribo farm slurm`. Words given to this script are given to the sbatch of the bakes.
set -e
cd @FOLDER_SH@
bakes=$(sbatch --parsable "$@" farm/slurm.sh)
bakes=${bakes%%;*} # a cluster's name may follow
sheet=$(sbatch --parsable --dependency=afterany:"$bakes" farm/slurm_sheet.sh)
echo "submitted @COUNT@ bakes as job $bakes, the sheet as job ${sheet%%;*}"
