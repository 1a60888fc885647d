/** Commands whose output path is occupied by something else: each names the path, and none leaves partial output. */
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { engine } from "../../support/artifact.ts";
import { ensureBuilt, root } from "../../support/shared-checks.ts";
import { temporaryDirectory } from "../../unit/metadata-directory/temporary-directory.ts";

const shape = join(root, "fixtures/library/shape.json");
const library = join(root, "fixtures/library/metadata");
let folder: string;

beforeAll(ensureBuilt);

beforeEach(async () => {
  folder = await temporaryDirectory({ taken: "a file\n" });
});

const run = (...args: readonly string[]) => engine(args, folder);

describe("Unwritable places", () => {
  it.each([
    ["taken/shop", ["init", "taken/shop"]],
    ["taken", ["init", "taken"]],
    ["taken/shop/metadata", ["import", library, "--out", "taken/shop"]],
    ["taken/out.json", ["metadata", "convert", library, "taken/out.json"]],
    ["taken/out", ["metadata", "convert", library, "taken/out"]],
    ["taken/out", ["compile", "--metadata", library, "--shape", shape, "--out", "taken/out"]],
    ["taken/out", ["build", "--metadata", library, "--shape", shape, "--out", "taken/out"]],
    ["taken/report.md", ["diff", library, library, "--shape", shape, "--out", "taken/report.md"]],
    ["taken/handlers", ["handlers", "--metadata", library, "--shape", shape, "--out", "taken/handlers"]],
  ])("An unwritable place is named: %s by %j", async (place, args) => {
    const { code, stderr } = await run(...args);
    // `diff` exits with 1 if there are differences.
    const failed = args[0] === "diff" ? 2 : 1;
    expect([code, stderr]).toEqual([
      failed,
      expect.stringMatching(/^error: cannot (?:write|create|read or write) .*\n$/),
    ]);
    expect(stderr).toContain(place);
    expect([await readdir(folder), await readFile(join(folder, "taken"), "utf8")]).toEqual([["taken"], "a file\n"]);
  });

  it.each([
    ["seeds", ["seed", "create", "rows"]],
    ["migrations", ["migrate", "create", "first"]],
    [".data", ["dev", "--endpoint", "http://localhost:1"]],
  ])("An unwritable place in a project is named: %s by %j", async (place, args) => {
    const project = join(folder, "shop");
    await run("init", "shop", "--template", "empty");
    await rm(join(project, place), { recursive: true, force: true });
    await writeFile(join(project, place), "");
    const { code, stderr } = await run(...args, "--project", "shop");
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^(?:\w+: )?cannot (?:read|write) .*\n$/)]);
    expect(stderr).toContain(place);
  });
});
