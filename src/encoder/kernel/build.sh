#!/bin/sh
# Builds the two modules of the encoder into assets/model. Needs clang and lld 19 (Debian: apt-get install clang-19 lld-19).
set -e
cd "$(dirname "$0")"
target=../../../assets/model
build() {
  "${CC:-clang-19}" --target=wasm32 -O3 -fno-math-errno -fno-builtin -msimd128 -nostdlib -Wl,--no-entry -Wl,--export-memory -Wl,--strip-all \
    -o "$target/$1" $2 encoder.c
}
build encoder-plain.wasm ""
build encoder-relaxed.wasm "-mrelaxed-simd -DRELAXED"
ls -l "$target"/*.wasm
