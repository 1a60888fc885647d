/** The checksum of texts that follow each other, from the checksums of each. */

const polynomial = 0xedb88320;

/**
 * The CRC-32 of two contents that follow each other.
 * @param length of the second one in bytes
 */
export function joinedCrc32(first: number, second: number, length: number): number {
  // The checksum is linear: zeros behind the first content multiply its checksum with a power of x, here bit by bit.
  let operator = timesX();
  let crc = first;
  for (let bits = length * 8; bits > 0; bits = Math.floor(bits / 2)) {
    if (bits % 2 === 1) crc = applied(operator, crc);
    operator = operator.map((column) => applied(operator, column));
  }
  return (crc ^ second) >>> 0;
}

/** Multiplies with x, as a matrix of bits: what becomes of each bit. */
function timesX(): readonly number[] {
  return Array.from({ length: 32 }, (_, bit) => (bit === 0 ? polynomial : 1 << (bit - 1)));
}

function applied(matrix: readonly number[], vector: number): number {
  let sum = 0;
  for (let bit = 0; bit < 32; bit++) if ((vector >>> bit) & 1) sum ^= matrix[bit] ?? 0;
  return sum;
}
