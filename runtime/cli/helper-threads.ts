/** Lowers the priority of V8's helper threads, which collect garbage and optimise code. */
import { readdirSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";

/**
 * Number of helper threads. Before any other thread, Node starts one for delayed tasks and four workers
 * (`--v8-pool-size`).
 */
const helperCount = 5;
/** Increment of the nice value. Under contention, it gives a thread about a third of the processor time. */
const niceIncrement = 5;

/**
 * Lowers the priority of helper threads. On a machine with few processors, garbage collection would otherwise delay the
 * database and pending requests. Only Linux has priorities by thread; on other systems, and without permission, nothing
 * changes.
 */
export function lowerHelperPriority(): void {
  if (process.platform !== "linux") return;
  try {
    // Thread ids increase in the order of their start. The first one is the main thread.
    const threads = readdirSync("/proc/self/task").map(Number);
    const [, ...others] = threads.sort((one, other) => one - other);
    const priority = Math.min(getPriority() + niceIncrement, constants.priority.PRIORITY_LOW);
    for (const thread of others.slice(0, helperCount)) setPriority(thread, priority);
  } catch {
    // An optimisation only; failures are harmless.
  }
}
