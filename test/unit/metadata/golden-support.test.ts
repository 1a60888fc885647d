import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { casesBelow, expectGolden, type Files } from "../../support/golden.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "golden-"));
  vi.stubEnv("UPDATE_GOLDEN", "");
  vi.stubEnv("CI", "");
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

const files = (given: Readonly<Record<string, string>>): Files => new Map(Object.entries(given));

async function put(given: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(given)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

const isInput = (path: string) => path === "input.json";

describe("Golden file comparison", () => {
  it("expectGolden accepts the same files with the same content", async () => {
    await put({ "input.json": "in", "a.txt": "a\n", "sub/b.txt": "b\n" });
    await expectGolden(folder, files({ "a.txt": "a\n", "sub/b.txt": "b\n" }), { isInput });
  });

  it("expectGolden lists missing and unexpected paths", async () => {
    await put({ "a.txt": "a", "old.txt": "o" });
    const comparison = expectGolden(folder, files({ "a.txt": "a", "new.txt": "n" }));
    await expect(comparison).rejects.toThrow(/not produced: old\.txt\nnot expected: new\.txt/);
  });

  it("expectGolden shows the difference of a file", async () => {
    await put({ "a.txt": "1\n2\n3\n4\n5\n6\n7\n8\n" });
    const comparison = expectGolden(folder, files({ "a.txt": "1\n2\n3\n4\n5\n6\nx\n8\n" }));
    await expect(comparison).rejects.toThrow(
      "--- expected a.txt\n+++ actual a.txt\n@@ -4,5 +4,5 @@\n 4\n 5\n 6\n-7\n+x\n 8",
    );
  });

  it("UPDATE_GOLDEN=1 writes new and changed files, removes leftovers and keeps input", async () => {
    await put({ "input.json": "in", "old.txt": "o", "a.txt": "a" });
    vi.stubEnv("UPDATE_GOLDEN", "1");
    await expectGolden(folder, files({ "a.txt": "changed", "sub/n.txt": "n" }), { isInput });
    expect((await readdir(folder)).sort()).toEqual(["a.txt", "input.json", "sub"]);
    expect(await readFile(join(folder, "a.txt"), "utf8")).toBe("changed");
    expect(await readFile(join(folder, "sub/n.txt"), "utf8")).toBe("n");
  });

  it("UPDATE_GOLDEN is refused if CI is set", async () => {
    vi.stubEnv("UPDATE_GOLDEN", "1");
    vi.stubEnv("CI", "true");
    await expect(expectGolden(folder, files({ a: "a" }))).rejects.toThrow("UPDATE_GOLDEN is refused where CI is set");
    expect(await readdir(folder)).toEqual([]);
  });
});

it("casesBelow returns the folders that contain a given file", async () => {
  await put({ "b/case/operation.json": "", "a/operation.json": "", "c/other.json": "" });
  expect(await casesBelow(folder, "operation.json")).toEqual(["a", "b/case"]);
  expect(await casesBelow(join(folder, "none"), "operation.json")).toEqual([]);
});
