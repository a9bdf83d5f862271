#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The users' build of the plugin, against an installed core and a Houdini that is none:
#     build.sh SOURCE BUILD SCRATCH
set -eu
source=$1 build=$2 scratch=$3
rm -rf "$scratch"
mkdir -p "$scratch"
cmake --install "$build" --prefix "$scratch/core" >"$scratch/install.log"
export HFS="$source/tests/houdini/hfs"
cmake -S "$source/plugin_houdini_hdk" -B "$scratch/build" -DCMAKE_BUILD_TYPE=Debug \
  -DCMAKE_PREFIX_PATH="$scratch/core" -DCMAKE_INSTALL_PREFIX="$scratch/home" >"$scratch/configure.log"
cmake --build "$scratch/build" >"$scratch/build.log"
cmake --install "$scratch/build" >>"$scratch/install.log"
cd "$scratch/home/tribo_houdini"
for wanted in dso/SOP_Tribo.so help/nodes/sop/tribo--solver-1.0.txt otls/tribo_bake.hda/INDEX__SECTION packages/tribo.json; do
  [ -f "$wanted" ] || { echo "the install has no $wanted"; exit 1; }
done
grep -q "\"$scratch/home/tribo_houdini\"" packages/tribo.json
nm -D --defined-only dso/SOP_Tribo.so | grep -q newSopOperator || { echo "nobody finds the operator"; exit 1; }
if nm -D --defined-only dso/SOP_Tribo.so | grep -E ' (hou|worker)_'; then
  echo "these symbols are seen from outside"
  exit 1
fi
env -u HFS cmake -S "$source/plugin_houdini_hdk" -B "$scratch/none" >"$scratch/none.log" 2>&1 && exit 1
grep -q "source houdini_setup" "$scratch/none.log"
echo "built and installed"
