/**
 * Modules needed for serving are loaded when a server starts. A module first imported by a request would fail to load
 * if no file descriptor is left, and Node caches the failure until the process ends.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ensureBuilt, root } from "../support/shared-checks.ts";

/**
 * Modules that may be imported later than the file that names them, each with the reason why no request waits for it.
 */
const permitted: Readonly<Record<string, string>> = {
  busboy: "the start waits for it (`Started`)",
  connections: "the start waits for it (`Started`)",
  "open-verifiers": "the start waits for it, where requests are authenticated by tokens",
  "open-webhook": "the start waits for it, where requests are authenticated by a webhook",
  "open-redis": "the start waits for it, where there is a Redis server",
  "redis-store": "the start waits for it, where there is a Redis server",
  "redis-rate-counter": "the start waits for it, where there is a Redis server",
  export: "the start waits for it, where something is exported; else the change of the metadata that says so",
  mssql: "loaded as the first SQL Server source is opened",
  demo: "part of the start",
  primary: "part of the start",
  "start-server": "part of the start",
  "deploy-mounted": "part of the start",
  "plan-changes": "an operation of administrators, which needs a compiler besides",
};

interface Imports {
  readonly now: readonly string[];
  readonly later: readonly string[];
}

async function importsOf(file: string): Promise<Imports> {
  const text = await readFile(join(root, ".build", file), "utf8");
  const found = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = ""]) => name);
  return {
    now: found(/(?:\bfrom|\bimport)\s*"\.\/([^"]+)"/g),
    later: found(/\bimport\(\s*"\.\/([^"]+)"\s*\)/g),
  };
}

/**
 * Finds deferred imports.
 * @returns modules imported later by a file that the entry loads, without the hashes in their names
 */
async function importedLater(entry: string): Promise<readonly string[]> {
  const seen = new Set([entry]);
  const later = new Set<string>();
  for (const file of seen) {
    const imports = await importsOf(file);
    for (const name of imports.now) seen.add(name);
    for (const name of imports.later) later.add(name.replace(/-[A-Z0-9]{8}\.mjs$/, ""));
  }
  // Fails if the patterns no longer match the bundle.
  expect(seen.size).toBeGreaterThan(20);
  return [...later].toSorted();
}

describe("Imports after the start of a server", async () => {
  await ensureBuilt();
  const files = await readdir(join(root, ".build"));
  const bundled = (name: string): string =>
    files.find((file) => new RegExp(`^${name}-[A-Z0-9]{8}\\.mjs$`).test(file)) ?? "";
  const entries = [
    bundled("start"),
    bundled("start-server"),
    "library.mjs",
    "handler.mjs",
    "sealed.mjs",
    "sealed-library.mjs",
    "sealed-workers.mjs",
  ];

  it.each(entries)("A server defers no import that a request needs: %s", async (entry) => {
    expect((await importedLater(entry)).filter((name) => permitted[name] === undefined)).toEqual([]);
  });

  it("Every permitted deferred import exists in a bundle", async () => {
    const all = new Set((await Promise.all(entries.map(importedLater))).flat());
    expect(Object.keys(permitted).filter((name) => !all.has(name))).toEqual([]);
  });
});
