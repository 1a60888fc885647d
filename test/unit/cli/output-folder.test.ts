import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { emitManifest } from "../../../compiler/4-emit/manifest.ts";
import { writeOutput } from "../../../runtime/cli/compile/output-folder.ts";

let parent: string;
let folder: string;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "output-"));
  folder = join(parent, "generated");
});

afterEach(() => rm(parent, { recursive: true, force: true }));

/** Files with the manifest that lists them. */
function output(files: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const manifest = emitManifest({ catalog: "", shapes: {}, files });
  return new Map([...Object.entries(files), ["manifest.json", manifest]]);
}

async function contents(): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(
    files.map(async (file) => [file.slice(folder.length + 1), await readFile(file, "utf8")] as const),
  );
  return Object.fromEntries(texts.filter(([path]) => path !== "manifest.json"));
}

describe("Output folders", () => {
  it("writeOutput creates the folder and leaves no other files beside it", async () => {
    const files = output({ "a/b.ts": "1", "c.ts": "2" });
    expect(await writeOutput(folder, files)).toEqual({ written: 3, changed: 3, removed: 0 });
    expect(await contents()).toEqual({ "a/b.ts": "1", "c.ts": "2" });
    expect(await readdir(parent)).toEqual(["generated"]);
  });

  it("writeOutput removes obsolete files and counts the changes", async () => {
    await writeOutput(folder, output({ "a/b.ts": "1", "c.ts": "2", "d.ts": "3" }));
    const summary = await writeOutput(folder, output({ "c.ts": "2", "d.ts": "4" }));
    expect(summary).toEqual({ written: 3, changed: 2, removed: 1 });
    expect(await contents()).toEqual({ "c.ts": "2", "d.ts": "4" });
    expect(await readdir(parent)).toEqual(["generated"]);
  });

  it("writeOutput keeps files that were not generated", async () => {
    await writeOutput(folder, output({ "a/b.ts": "1" }));
    await writeFile(join(folder, "a/notes.md"), "mine");
    await writeOutput(folder, output({ "c.ts": "2" }));
    expect(await contents()).toEqual({ "a/notes.md": "mine", "c.ts": "2" });
  });

  it("writeOutput writes into an empty folder", async () => {
    await mkdir(folder);
    await writeOutput(folder, output({ "a.ts": "1" }));
    expect(await contents()).toEqual({ "a.ts": "1" });
  });

  it.each([
    ["no manifest", "other.txt", "{}"],
    ["the manifest of another program", "manifest.json", `{"name":"app","files":{}}`],
    ["a manifest that is not JSON", "manifest.json", "?"],
  ])("writeOutput refuses a folder with %s", async (_, file, text) => {
    await mkdir(folder);
    await writeFile(join(folder, file), text);
    await expect(writeOutput(folder, output({ "a.ts": "1" }))).rejects.toMatchObject({
      code: "not-supported",
      message: `${folder} is not empty and has no manifest.json of an earlier run: choose another folder, or empty it`,
    });
    expect(await readFile(join(folder, file), "utf8")).toBe(text);
    expect(await readdir(parent)).toEqual(["generated"]);
  });

  it("writeOutput leaves the folder unchanged if it cannot write", async () => {
    await writeOutput(folder, output({ "a.ts": "1" }));
    const impossible = new Map([...output({ "a.ts": "2" }), ["a.ts/b.ts", "3"]]);
    await expect(writeOutput(folder, impossible)).rejects.toMatchObject({ code: "unwritable" });
    expect(await contents()).toEqual({ "a.ts": "1" });
    expect(await readdir(parent)).toEqual(["generated"]);
  });

  it("writeOutput names a folder that is a file", async () => {
    await writeFile(folder, "text");
    await expect(writeOutput(folder, output({ "a.ts": "1" }))).rejects.toThrow(`cannot write ${folder}: ENOTDIR`);
  });
});
