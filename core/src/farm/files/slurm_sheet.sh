#!/bin/bash
# Makes the contact sheet of a Tribo wedge. Written by `tribo farm slurm`.
#SBATCH --job-name=tribo-sheet --output=farm/slurm-sheet.log
#SBATCH --nodes=1 --ntasks=1 --cpus-per-task=1 --mem=512M --time=1:00:00
exec @TRIBO_SH@ wedge sheet @FOLDER_SH@
