/** Random digits by the handful: calls of the system, and of the runtime, for each would cost more than what they are for. */
import { randomBytes } from "node:crypto";

const poolBytes = 8192;

let pool = "";
let used = 0;

/** @param bytes at most 64 */
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
