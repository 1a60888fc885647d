/** Draws random digits from a pool, because calling `randomBytes` for each id costs more than all uses of the id. */
import { randomBytes } from "node:crypto";

const poolBytes = 8192;

let pool = "";
let used = 0;

/**
 * Returns random hexadecimal digits, two for each byte.
 * @param bytes at most 64
 */
export function randomHex(bytes: number): string {
  const end = used + bytes * 2;
  if (end > pool.length) {
    pool = randomBytes(poolBytes).toString("hex");
    used = 0;
    return randomHex(bytes);
  }
  const digits = pool.slice(used, end);
  used = end;
  return digits;
}
