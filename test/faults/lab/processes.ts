/** Process information from the kernel, and waiting for conditions. */
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

/** Returns the resident memory of a process in bytes; 0 if it has ended. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
}

/** Returns the number of open files and sockets of a process; 0 if it has ended. */
export async function descriptors(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`).catch(() => [])).length;
}

/** Returns the running child processes. */
export async function childrenOf(pid: number): Promise<readonly number[]> {
  const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const parents = await Promise.all(names.map((name) => parentOf(Number(name))));
  return names.map(Number).filter((_, index) => parents[index] === pid);
}

async function parentOf(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  return stat === undefined ? undefined : Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
}

export const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Sends a signal to a process that may have ended. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    const isGone = error instanceof Error && "code" in error && error.code === "ESRCH";
    if (!isGone) throw error;
  }
}

/** Returns whether a condition becomes true within a timeout in milliseconds. A check that throws counts as false. */
export async function within(milliseconds: number, condition: () => boolean | Promise<boolean>): Promise<boolean> {
  const end = performance.now() + milliseconds;
  for (;;) {
    if (
      await Promise.resolve()
        .then(condition)
        .catch(() => false)
    )
      return true;
    if (performance.now() >= end) return false;
    await delay(50);
  }
}
