#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs a build tree and uses it as a stranger would.
#
#   consume.sh shared|static SOURCE BUILD WORK CC
#
# Builds docs/example.c against the installed package by find_package and by pkg-config, and runs
# both; they must print the same. `shared` installs BUILD; `static` first builds a static library of
# its own. The tree is moved after installing: nothing in it may remember where it was.
set -euo pipefail
kind=$1 source=$2 build=$3 work=$4 compiler=$5
example=$source/docs/example.c

rm -rf "$work"
mkdir -p "$work"
if [ "$kind" = static ]; then
  build=$work/build
  cmake -S "$source" -B "$build" -G Ninja -DCMAKE_C_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Debug \
    -DBUILD_SHARED_LIBS=OFF -DTRIBO_TESTS=OFF -DTRIBO_BENCH=OFF >/dev/null
  cmake --build "$build"
fi
cmake --install "$build" --prefix "$work/first" >/dev/null
prefix="$work/moved here"
mv "$work/first" "$prefix"

"$prefix/bin/tribo" --version

cmake -S "$source/tests/install/consumer" -B "$work/consumer" -G Ninja -DEXAMPLE="$example" \
  -DCMAKE_C_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
cmake --build "$work/consumer"
"$work/consumer/consumer" >"$work/by_cmake.txt"

found=$(find "$prefix" -name tribo.pc)
export PKG_CONFIG_PATH=${found%/*}
flags=$(pkg-config --cflags --libs tribo)
# pkg-config quotes blanks for a shell, so a shell reads them.
eval "\"\$compiler\" -std=c17 \"\$example\" -o \"\$work/by_pkg_config\" $flags"
LD_LIBRARY_PATH=${found%/pkgconfig/*} "$work/by_pkg_config" >"$work/by_pkg_config.txt"

cat "$work/by_cmake.txt"
cmp "$work/by_cmake.txt" "$work/by_pkg_config.txt"
grep -q '^1.000 s:' "$work/by_cmake.txt"

if command -v g++ >/dev/null; then
  g++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I "$prefix/include" -x c++ - \
    <<<'#include <tribo/tribo.h>'
  echo "the headers are C++ too"
fi
