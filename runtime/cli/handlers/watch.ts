/** When the metadata that handlers follow may have changed: files, or the number that a server counts changes with. */
import { existsSync, watch } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { commandFailure } from "../failure.ts";
import { withServer } from "../project/client.ts";
import { readSettings } from "../project/settings.ts";
import { exportedBy, type HandlersInput } from "./handlers-input.ts";

/** Editors write a file in several steps. */
const quietMilliseconds = 100;
const pollMilliseconds = 1000;

/** Yields at once, and after each change, until the signal. */
export function changesOf(input: HandlersInput, signal: AbortSignal): AsyncIterable<void> {
  return input.metadata === undefined ? changesOfServer(input, signal) : changesOfFiles(input.metadata, input, signal);
}

async function* changesOfFiles(
  metadata: string,
  { shape }: HandlersInput,
  signal: AbortSignal,
): AsyncGenerator<void, void> {
  const beside = shape ?? join(dirname(resolve(metadata)), "shape.json");
  let wake: (() => void) | undefined;
  let changed = true;
  const notice = (): void => {
    changed = true;
    wake?.();
  };
  const watchers = [metadata, beside].filter((path) => existsSync(path)).map((path) => watchPath(path, notice));
  signal.addEventListener("abort", notice, { once: true });
  try {
    while (!signal.aborted) {
      if (!changed) await new Promise<void>((resolve) => (wake = resolve));
      // Until nothing has changed for a moment.
      while (changed && !signal.aborted) {
        changed = false;
        await sleep(quietMilliseconds);
      }
      if (!signal.aborted) yield;
    }
  } finally {
    for (const watcher of watchers) watcher.close();
  }
}

/** A file may be replaced: its folder tells. */
function watchPath(path: string, notice: () => void): ReturnType<typeof watch> {
  const full = resolve(path);
  if (!/\.(?:json|ya?ml)$/.test(full)) return watch(full, { recursive: true }, notice);
  return watch(dirname(full), (_, name) => {
    if (name === null || join(dirname(full), name) === full) notice();
  });
}

async function* changesOfServer(input: HandlersInput, signal: AbortSignal): AsyncGenerator<void, void> {
  const settings = await readSettings(input, process.env);
  let known: unknown;
  let isFailing = false;
  while (!signal.aborted) {
    try {
      const { version } = await withServer(settings, exportedBy);
      const isNew = version !== known;
      known = version;
      isFailing = false;
      if (isNew) yield;
    } catch (error) {
      // A server that restarts is not worth a line a second.
      if (!isFailing) process.stderr.write(`${commandFailure(error)}\n`);
      isFailing = true;
    }
    await sleep(pollMilliseconds, undefined, { signal }).catch(() => undefined);
  }
}
