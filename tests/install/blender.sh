#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Bakes a cloth and a solid, lets Blender play them and compares vertex by vertex; then renders.
#
#   blender.sh SOURCE BLENDER TRIBO MAKE_SCENE WORK
set -euo pipefail
source=$1 blender=$2 tribo=$3 make_scene=$4 work=$5

show() {
  "$blender" -b --factory-startup --python-exit-code 1 -P "$source/scripts/render_cache.py" -- "$@"
}

rm -rf "$work"
mkdir -p "$work"
"$make_scene" wind "$work/scene" 6
# Not from frame 1, where a modifier that starts a frame too late would go unnoticed.
"$tribo" bake "$work/scene/scene.json" --out "$work/cache" --progress none \
  --set time.start=11 --set time.end=15
show "$work/cache" --look wind --check --save "$work/demo.blend" --out "$work/frame.png" \
  --size 64x36 --samples 1
show "$work/cache" --out "$work/strip.png" --strip 11,13,15 --size 96x32 --samples 1
# Colliders that move, by transforms and by points.
"$make_scene" belt_drive "$work/belt" around=16 belt_cells=24 driver_sides=7 seconds=1
show "$work/belt" --check --out "$work/belt.png" --size 64x36 --samples 1
"$make_scene" garment "$work/garment" cloth_size=0.04 body_size=0.05 seconds=0.5
show "$work/garment" --check --whole --save "$work/garment.blend" --out "$work/garment.png" \
  --size 64x36 --samples 1
for made in belt.png garment.png garment.blend frame.png strip.png demo.blend; do
  [ -s "$work/$made" ] || { echo "blender.sh: there is no $made"; exit 1; }
done
