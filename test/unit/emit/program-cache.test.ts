import { describe, expect, it } from "vitest";
import { ProgramCache } from "../../../compiler/program/program-cache.ts";
import { passingKept } from "../../../runtime/values/passing.ts";

function cacheWith(...paths: readonly string[]): ProgramCache<string> {
  const cache = new ProgramCache<string>();
  for (const path of paths) cache.set(path, path);
  return cache;
}

describe("ProgramCache", () => {
  it("keeps the latest of what is made for walks, and all else", () => {
    const cache = cacheWith("kept");
    for (let i = 0; i <= passingKept; i++) cache.setPassing(`passing ${i}`, String(i));
    const next = new ProgramCache(cache);
    expect(next.get("kept")).toBe("kept");
    expect(next.get("passing 0")).toBeUndefined();
    expect(next.get("passing 1")).toBe("1");
  });

  it("gives what a walk made in place of what was kept before", () => {
    const cache = cacheWith("kept");
    cache.setPassing("kept", "new");
    expect(new ProgramCache(cache).get("kept")).toBe("new");
  });
});
