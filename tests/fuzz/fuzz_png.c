/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checksums stand in the fuzzer's way: where a chunk is whole they are set right, so that what is
 * behind them is reached too.
 */
#include "fuzz_image.h"

static uint32_t checksum(const uint8_t *data, size_t size) {
  uint32_t crc = 0xffffffffU;
  for (size_t i = 0; i < size; i++) {
    crc ^= data[i];
    for (int k = 0; k < 8; k++) crc = crc & 1 ? crc >> 1 ^ 0xedb88320U : crc >> 1;
  }
  return ~crc;
}

static uint32_t read_be(const uint8_t *p) {
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_image(data, size);
  uint8_t *mended = malloc(size + 1);
  if (!mended) return 0;
  if (size) memcpy(mended, data, size);
  for (size_t at = 8; at + 12 <= size;) {
    uint32_t length = read_be(mended + at);
    if (length > size - at - 12) break;
    uint32_t crc = checksum(mended + at + 4, length + 4);
    for (int k = 0; k < 4; k++)
      mended[at + 8 + length + (size_t)k] = (uint8_t)(crc >> (24 - 8 * k));
    at += 12 + (size_t)length;
  }
  fuzz_image(mended, size);
  free(mended);
  return 0;
}
