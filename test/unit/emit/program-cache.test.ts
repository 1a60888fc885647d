import { describe, expect, it } from "vitest";
import { ProgramCache } from "../../../compiler/program/program-cache.ts";
import { maxTransientModules } from "../../../runtime/values/transient-modules.ts";

function cacheWith(...paths: readonly string[]): ProgramCache<string> {
  const cache = new ProgramCache<string>();
  for (const path of paths) cache.set(path, path);
  return cache;
}

describe("Program cache", () => {
  it("The program cache keeps the most recent entries of traversals and all other entries", () => {
    const cache = cacheWith("kept");
    for (let i = 0; i <= maxTransientModules; i++) cache.setPassing(`passing ${i}`, String(i));
    const next = new ProgramCache(cache);
    expect(next.get("kept")).toBe("kept");
    expect(next.get("passing 0")).toBeUndefined();
    expect(next.get("passing 1")).toBe("1");
  });

  it("An entry of a traversal replaces an earlier entry", () => {
    const cache = cacheWith("kept");
    cache.setPassing("kept", "new");
    expect(new ProgramCache(cache).get("kept")).toBe("new");
  });
});
