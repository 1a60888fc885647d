/**
 * Every runtime dependency loads on this Node: some of them fit together only in exact versions, install cleanly in
 * others, and then fail at the import.
 */
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { installBinaries } from "../../runtime/embedded-postgres/binaries.ts";

const description: unknown = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"));

function dependenciesOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null || !("dependencies" in value)) return [];
  return Object.keys(value.dependencies ?? {});
}

describe("runtime dependencies", () => {
  const names = dependenciesOf(description);

  it("are listed in package.json", () => {
    expect(names).toContain("pg");
  });

  it.each(names)("%s loads", async (name) => {
    const loaded: Record<string, unknown> = await import(name);
    expect(Object.keys(loaded).length).toBeGreaterThan(0);
  });

  it("include the programs of the embedded PostgreSQL for this platform", async () => {
    const binaries = await installBinaries(undefined);
    expect(binaries.major).toBe("15");
  });
});
