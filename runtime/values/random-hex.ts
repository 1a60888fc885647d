/** Random digits by the handful: a call of the system for each would cost more than what they are for. */
import { randomFillSync } from "node:crypto";

const pool = Buffer.alloc(8192);
let used = pool.length;

/** @param bytes at most 64 */
export function randomHex(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += bytes;
  return pool.toString("hex", used - bytes, used);
}
