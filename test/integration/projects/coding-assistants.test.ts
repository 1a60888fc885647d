/** `AGENTS.md` of each template: its commands, flags, files and pages exist, and its commands work as written. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { leaves } from "../../../.ci/reference/pages/command-line.ts";
import { runCommand } from "../../support/command-line.ts";
import { postgresUrl } from "../../support/database.ts";
import { ensureBuilt, root } from "../../support/shared-checks.ts";
import { createTemplateProject, type TemplateProject } from "../../support/template-project.ts";

/** Files that commands or people create, some of them in folders that a new project lacks. */
const created = ["migrations/default/", "seeds/default/", "metadata/actions.graphql", "metadata/actions.yaml"];
const generated = ["artifact/", "dist/", "shape.json", ".data/"];

const templates = (await readdir(join(root, "fixtures/templates"))).filter((name) => name !== "shared");

beforeAll(ensureBuilt, 120_000);

describe.each(templates)("AGENTS.md of the template %s", { timeout: 180_000 }, (template) => {
  let parent: string;
  let project: TemplateProject;
  let text: string;

  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), "engine-agents-"));
    project = await createTemplateProject(parent, template);
    text = await project.read("AGENTS.md");
  }, 60_000);
  afterAll(() => rm(parent, { recursive: true, force: true }));

  it("Each command of the engine exists with its flags", () => {
    const commands = new Map(leaves());
    const lines = [...text.matchAll(/npx --no engine ([^`\n#|]*)/g)].map(([, words = ""]) => words.trim().split(/\s+/));
    expect(lines.length).toBeGreaterThan(8);
    for (const words of lines) {
      if (words[0] === "--help") continue;
      const [name, command] =
        [...commands].find(([each]) => words.join(" ").startsWith(`${each} `) || words.join(" ") === each) ?? [];
      expect([words.join(" "), name]).toEqual([words.join(" "), expect.any(String)]);
      const known = command?.options.map(({ long }) => long);
      for (const flag of words.filter((word) => word.startsWith("--"))) expect(known).toContain(flag);
    }
  });

  it("Each npm script exists", async () => {
    const { scripts } = JSON.parse(await project.read("package.json"));
    const named = [...text.matchAll(/npm (?:run )?(\w+)/g)].map(([, script]) => script);
    expect(new Set(named)).toEqual(new Set(["check", "test", "dev", "types"]));
    for (const script of named) expect(Object.keys(scripts)).toContain(script);
  });

  it("Each file and folder exists, or is one that a command or a person creates", () => {
    const paths = [...text.matchAll(/`([\w.-]+(?:\/[\w.<>-]*)*)`/g)]
      .map(([, path = ""]) => path)
      .filter((path) => path.includes("/") || /\.(?:md|json|yaml|ts)$/.test(path))
      .filter((path) => !path.includes("<"));
    expect(paths).toEqual(expect.arrayContaining(["handlers/generated.ts", "tests/permissions.yaml", "README.md"]));
    const inTables = new Set([...created, ...generated, "tables.yaml"]);
    for (const path of paths)
      expect([path, inTables.has(path) || existsSync(join(project.folder, path))]).toEqual([path, true]);
    expect(existsSync(join(project.folder, "metadata/databases/default/tables/tables.yaml"))).toBe(true);
  });

  it("The manual is at the endpoint of the project, and its pages exist in the package", () => {
    expect(text).toContain(`${project.endpoint}/docs/llms.txt`);
    const files = [...text.matchAll(/node_modules\/([\w./-]+\.gz)/g)].map(([, path = ""]) => path);
    expect(files).toHaveLength(2);
    for (const path of files)
      expect([path, existsSync(join(project.folder, "node_modules", path))]).toEqual([path, true]);
  });

  it("The loop succeeds in a new project", async () => {
    const flags = ["--json", "--project", project.folder];
    const checked = await runCommand("check", ...flags, "--shadow-url", postgresUrl());
    expect(JSON.parse(checked.stdout)).toMatchObject({ ok: true, result: { valid: true, errors: 0 } });
    const tested = await runCommand("test", ...flags, "--database", postgresUrl());
    expect(JSON.parse(tested.stdout)).toMatchObject({ ok: true, result: { failed: 0 }, problems: [] });
  });
});

describe("The commands about access in AGENTS.md", { timeout: 300_000 }, () => {
  it("The commands compare the project with the last commit, and report what a role gained", async () => {
    const parent = await mkdtemp(join(tmpdir(), "engine-agents-"));
    try {
      const project = await createTemplateProject(parent, "todo");
      const env = { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "" };
      const run = (command: string) =>
        promisify(execFile)("bash", ["-euo", "pipefail", "-c", command], { cwd: project.folder, env, maxBuffer: 1e7 });
      await run("git init -q . && git add . && git -c user.name=a -c user.email=a@b.example commit -qm first");
      const file = "metadata/databases/default/tables/public_list.yaml";
      await project.write(
        file,
        (await project.read(file)).replace("columns: [id, title]", "columns: [id, title, owner_id]"),
      );
      const block = /```sh\n(git worktree add [\s\S]*?)```/.exec(await project.read("AGENTS.md"))?.[1] ?? "";
      const { stdout } = await run(block);
      const reports = [...stdout.matchAll(/^\{\n[\s\S]*?^\}\n/gm)].map(([report]) => JSON.parse(report));
      expect(reports.map(({ command, ok }) => [command, ok])).toEqual(
        ["deploy", "check", "check", "diff"].map((command) => [command, true]),
      );
      const widening = { role: "visitor", subject: "default.public.list", name: "owner_id", effect: "widens" };
      expect(reports[0].result.access).toContainEqual(expect.objectContaining(widening));
      expect(reports[3].result.changes).toContainEqual(expect.objectContaining(widening));
      expect(existsSync(join(parent, "before"))).toBe(false);
    } finally {
      await rm(parent, { recursive: true, force: true });
    }
  });
});
