/** The `engine diff` command: metadata and artifacts in any combination, formats, files and exit codes. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { engine } from "../support/artifact.ts";
import { ensureBuilt, root } from "../support/shared-checks.ts";

const library = join(root, "fixtures/library");
const shape = join(library, "shape.json");
const before = join(library, "metadata");

let folder: string;
let after: string;

beforeAll(async () => {
  await ensureBuilt();
  folder = await mkdtemp(join(tmpdir(), "diff-"));
  after = join(folder, "after");
  await cp(before, after, { recursive: true });
  const file = join(after, "databases/default/tables/public_loan.yaml");
  const text = await readFile(file, "utf8");
  const filter = "      filter:\n        member_id:\n          _eq: X-Engine-User-Id\n";
  expect(text).toContain(filter);
  await writeFile(file, text.replace(filter, "      filter: {}\n"));
  const artifacts = [
    ["one", before],
    ["two", after],
  ] as const;
  for (const [name, metadata] of artifacts) {
    const built = await engine(["build", "--metadata", metadata, "--shape", shape, "--out", name], folder);
    expect(built).toMatchObject({ code: 0, stderr: "" });
  }
}, 120_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

const diff = (...args: readonly string[]) => engine(["diff", ...args], folder);

const change = "| **widens** | `member` | `default.public.loan`: select rows changed |";

// Each test runs the command several times.
describe("The engine diff command", { timeout: 60_000 }, () => {
  it.each([
    ["metadata and metadata", () => [before, after, "--shape", shape]],
    ["an artifact and another", () => ["one", "two"]],
    ["an artifact and metadata", () => ["one", after, "--shape-b", shape]],
    ["metadata and an artifact", () => [before, "two", "--shape-a", shape]],
  ])("engine diff compares %s", async (_, args) => {
    const { code, stdout, stderr } = await diff(...args());
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.split("\n").filter((line) => line.startsWith("| **"))).toEqual([change]);
    expect(stdout).toContain("- `roles/member/default/public.loan.ts`: `visible` removed; `loan` changed");
    expect(stdout).toContain("<summary><code>desk.my_loans</code>: SQL changed</summary>");
  });

  it("engine diff finds no difference between an artifact and its metadata", async () => {
    const { code, stdout } = await diff("one", before, "--shape-b", shape, "--exit-code", "--fail-on-widening");
    expect({ code, stdout }).toEqual({ code: 0, stdout: `# Changes from \`one\` to \`${before}\`\n\nNo changes.\n` });
  });

  it("engine diff uses the shape beside the metadata", async () => {
    expect(await diff(before, before)).toMatchObject({ code: 0, stderr: "" });
  });

  it("engine diff exits with the requested status", async () => {
    expect((await diff("one", "two", "--exit-code")).code).toBe(1);
    expect((await diff("one", "two", "--fail-on-widening")).code).toBe(3);
    expect((await diff("one", "two", "--exit-code", "--fail-on-widening")).code).toBe(3);
    expect((await diff("two", "one", "--fail-on-widening")).code).toBe(0);
    expect((await diff("two", "one", "--exit-code", "--fail-on-widening")).code).toBe(1);
  });

  it("engine diff writes JSON into a file", async () => {
    expect(await diff("one", "two", "--format", "json", "--out", "report.json")).toEqual({
      code: 0,
      stdout: "",
      stderr: "",
    });
    const report = JSON.parse(await readFile(join(folder, "report.json"), "utf8"));
    expect(report).toMatchObject({
      format: 1,
      before: { kind: "artifact", name: "one" },
      after: { kind: "artifact", name: "two" },
      summary: { widens: 1, mayWiden: 0 },
    });
    expect(report.changes[0]).toEqual({
      role: "member",
      area: "permissions",
      subject: "default.public.loan",
      aspect: "select rows",
      kind: "changed",
      before: 'loan."member_id" = session("x-engine-user-id")::uuid',
      after: "every row",
      effect: "widens",
    });
  });

  it("engine diff stops quietly when its reader closes the pipe", async () => {
    await writeFile(join(folder, "empty.json"), '{"version": 3, "sources": []}');
    const child = spawn(
      process.execPath,
      [join(root, ".build/engine.mjs"), "diff", "empty.json", "two", "--format", "json"],
      {
        cwd: folder,
      },
    );
    const said = { stderr: "" };
    child.stderr.on("data", (text) => (said.stderr += text));
    child.stdout.once("data", () => child.stdout.destroy());
    const [code] = await once(child, "close");
    expect({ code, ...said }).toEqual({ code: 0, stderr: "" });
  });

  it("engine diff reports that an artifact is no longer closed", async () => {
    const args = ["--metadata", before, "--shape", shape, "--closed", "--out", "closed"];
    expect(await engine(["build", ...args], folder)).toMatchObject({ code: 0 });
    const { stdout } = await diff("closed", "one");
    expect(stdout).toContain("| **widens** | all | `artifact`: closed mode removed |");
    expect((await diff("one", "closed", "--fail-on-widening")).code).toBe(0);
  });

  it("engine diff refuses unreadable input with status 2", async () => {
    const broken = join(folder, "broken.yaml");
    await writeFile(broken, "version: 3\nsources: 5\n");
    const invalid = await diff(broken, "one", "--exit-code");
    expect(invalid).toMatchObject({ code: 2, stdout: "" });
    expect(invalid.stderr).toContain("broken.yaml:2:10: parse-failed");
    expect(await diff("nowhere", "one", "--shape-a", shape)).toMatchObject({ code: 2, stdout: "" });
    expect((await diff("one", "two", "--shape", shape)).stderr).toContain("one is an artifact");
    await cp(join(folder, "one"), join(folder, "changed"), { recursive: true });
    await writeFile(join(folder, "changed/access.json"), "{}");
    const changed = await diff("changed", "two");
    expect(changed).toMatchObject({ code: 2, stdout: "" });
    expect(changed.stderr).toContain("has been modified since it was built: access.json was changed");
  });
});
