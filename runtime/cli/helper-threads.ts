/** V8's own threads, which collect garbage and optimise beside the thread that answers. */
import { readdirSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";

/** Node starts one for delayed tasks and four that work (`--v8-pool-size`) before all others. */
const helperCount = 5;
/** Steps behind the process: where they compete with others for a processor, they get a third as much of it. */
const stepsBehind = 5;

/**
 * Puts them behind what else wants a processor. On a machine with few they took it, while garbage was collected, from the
 * database and from whoever waited for answers. Linux lets a thread have a priority of its own; on other systems, and
 * where that is forbidden, all stays as it is.
 */
export function putHelpersBehind(): void {
  if (process.platform !== "linux") return;
  try {
    // Numbers of threads grow in the order in which they were started; the first one is the process's own.
    const threads = readdirSync("/proc/self/task").map(Number);
    const [, ...others] = threads.sort((one, other) => one - other);
    const priority = Math.min(getPriority() + stepsBehind, constants.priority.PRIORITY_LOW);
    for (const thread of others.slice(0, helperCount)) setPriority(thread, priority);
  } catch {
    // It is a favour to others, nothing that answers depend on.
  }
}
