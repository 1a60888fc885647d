/**
 * Detects changes of files and of a server's metadata by polling, which works in containers, on network folders and for
 * replaced folders.
 */
import { readdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { EngineError } from "../../values/errors.ts";
import { exportedBy, withServer } from "./client.ts";
import { type GlobalFlags, readSettings, type Settings } from "./settings.ts";

const pollEveryMs = 250;

/** Resolves to a text that differs after a change. */
export type State = () => Promise<string>;

/**
 * Yields the names of the parts that have changed and then remained unchanged for a moment, until the signal; all parts
 * at the start.
 */
export async function* changesOf<Part extends string>(
  parts: Readonly<Record<Part, State>>,
  signal: AbortSignal,
): AsyncGenerator<ReadonlySet<Part>, void> {
  const names = Object.keys(parts) as Part[];
  const read = () => Promise.all(names.map((name) => parts[name]()));
  const reported: (string | undefined)[] = names.map(() => undefined);
  let previous = await read();
  while (!signal.aborted) {
    const current = await read();
    // Editors write a file in several steps.
    const isQuiet = current.every((state, index) => state === previous[index]);
    const changed = names.filter((_, index) => current[index] !== reported[index]);
    previous = current;
    if (isQuiet && changed.length > 0) {
      reported.splice(0, names.length, ...current);
      yield new Set(changed);
    }
    await sleep(pollEveryMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Returns a text that changes whenever a file is written, created or deleted. */
export async function filesState(paths: readonly string[]): Promise<string> {
  const lines: string[] = [];
  for (const path of paths) lines.push(...(await linesOf(path)));
  return lines.sort().join("\n");
}

async function linesOf(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) return [await lineOf(path)];
  // Hidden files belong to editors, or to this tool while it writes.
  const files = entries.filter((entry) => entry.isFile() && !/(^|[\\/])\./.test(entry.name));
  return Promise.all(files.map(({ parentPath, name }) => lineOf(join(parentPath, name))));
}

async function lineOf(file: string): Promise<string> {
  const found = await stat(file, { bigint: true }).catch(() => undefined);
  return `${file} ${found?.mtimeNs} ${found?.size}`;
}

export interface WatchedMetadata extends GlobalFlags {
  /** A metadata directory, or one JSON or YAML file; default the metadata of the server. */
  readonly metadata?: string;
  /** Saved Shapes; default `shape.json` beside the metadata. */
  readonly shape?: string;
}

/** Returns the state of metadata files with their saved Shapes or, without files, of a server's metadata. */
export async function metadataState({ metadata, shape, ...flags }: WatchedMetadata): Promise<State> {
  if (metadata === undefined) return serverState(await readSettings(flags, process.env));
  const beside = shape ?? join(dirname(resolve(metadata)), "shape.json");
  return () => filesState([metadata, beside]);
}

const serverPollMs = 1000;

/** Reads the version of the metadata at most once per second. */
function serverState(settings: Settings): State {
  let state = "";
  let readAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - readAt < serverPollMs) return state;
    try {
      state = JSON.stringify((await withServer(settings, exportedBy)).version);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      state = "unreachable";
    }
    readAt = performance.now();
    return state;
  };
}
