/** When files of a project were saved: by looking, which works in containers, on network folders and for folders that are replaced. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const lookEveryMs = 250;

/** Yields at once, and after changes that have come to rest for a moment, until the signal. */
export async function* changesOf(paths: readonly string[], signal: AbortSignal): AsyncGenerator<void, void> {
  let known: string | undefined;
  let previous = await filesState(paths);
  while (!signal.aborted) {
    const current = await filesState(paths);
    // Editors write a file in several steps.
    if (current === previous && current !== known) {
      known = current;
      yield;
    }
    previous = current;
    await sleep(lookEveryMs, undefined, { signal }).catch(() => undefined);
  }
}

/** A text that differs when a file was written, made or deleted. */
export async function filesState(paths: readonly string[]): Promise<string> {
  const lines: string[] = [];
  for (const path of paths) lines.push(...(await linesOf(path)));
  return lines.sort().join("\n");
}

async function linesOf(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) return [await lineOf(path)];
  // Names with a dot are of editors, and of this tool while it writes.
  const files = entries.filter((entry) => entry.isFile() && !/(^|[\\/])\./.test(entry.name));
  return Promise.all(files.map(({ parentPath, name }) => lineOf(join(parentPath, name))));
}

async function lineOf(file: string): Promise<string> {
  const found = await stat(file, { bigint: true }).catch(() => undefined);
  return `${file} ${found?.mtimeNs} ${found?.size}`;
}
