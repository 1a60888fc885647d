/**
 * The package as somebody gets it who has nothing else: packed, run by npm in a folder elsewhere, and used by the steps
 * that it prints itself.
 */
import { execFile } from "node:child_process";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../support/free-port.ts";
import { missingProgram } from "../../support/missing-program.ts";
import { ensureBuilt, root } from "../../support/shared-checks.ts";
import { startTerminal } from "../../support/terminal.ts";
import { temporaryDirectory } from "../../unit/metadata-directory/temporary-directory.ts";

const run = promisify(execFile);
const environment = { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", npm_config_prefer_offline: "true" };

beforeAll(ensureBuilt);

describe.skipIf(missingProgram("script"))("from nothing", () => {
  it("there is a first table, permission and query by the printed steps", { timeout: 420_000 }, async () => {
    const folder = await temporaryDirectory();
    // Its scripts would build it again, beside tests that use what is built.
    const pack = ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder];
    const { stdout: name } = await run("npm", pack, { cwd: root });
    const exec = ["exec", "--yes", `--package=${join(folder, name.trim())}`, "--"];
    const npm = async (...args: readonly string[]): Promise<string> =>
      (await run("npm", [...exec, ...args], { cwd: folder, env: environment })).stdout;
    const program = (await npm("sh", "-c", "command -v engine")).trim();
    expect(program).toMatch(/_npx.*\.bin\/engine$/);
    const port = await freePort();
    try {
      const steps = await npm("engine", "init", "demo", "--endpoint", `http://127.0.0.1:${port}`);
      const project = join(folder, "demo");
      const step = (begin: string): string => steps.split("\n  ").find((line) => line.startsWith(begin)) ?? "";
      const shell = (command: string) => run("sh", ["-c", command.split("\n")[0] ?? ""], { cwd: project, env: inPath });
      const inPath = { ...environment, PATH: `${dirname(program)}:${environment.PATH}` };
      expect(steps).toContain("\n  cd demo\n  engine dev\n");
      const inTerminal = (command: string) =>
        startTerminal(`npm ${exec.map((word) => `'${word}'`).join(" ")} ${command}`, project);
      const terminal = inTerminal("engine dev");
      try {
        await terminal.until("applied: waiting for the next change");
        await shell(step("engine migrate create"));
        await terminal.until("applied: waiting for the next change");
        const yaml = steps.slice(steps.indexOf("  - table:"), steps.indexOf("A first query")).replace(/^ {2}/gm, "");
        await writeFile(join(project, "metadata/databases/default/tables/tables.yaml"), yaml);
        expect(await terminal.until("applied: waiting for the next change")).toContain("select permission");
        expect(JSON.parse((await shell(step("curl"))).stdout)).toEqual({ data: { note: [] } });
      } finally {
        await terminal.end();
      }
      const demo = inTerminal("engine start --demo --server-port 0");
      try {
        const [, url = ""] = /engine serves on (\S+)\nembedded/.exec(await demo.until("\nembedded")) ?? [];
        const body = JSON.stringify({ query: "{ book(limit: 1, order_by: {title: asc}) { title } }" });
        const answer = await fetch(`${url}/v1/graphql`, { method: "POST", body });
        expect(await answer.json()).toEqual({ data: { book: [{ title: expect.any(String) }] } });
      } finally {
        await demo.end();
      }
      // Installed as `engine@file:…` it has this name in the program's folder.
      await mkdir(join(project, "node_modules"));
      await symlink(join(dirname(program), "../graphql-rest-engine"), join(project, "node_modules/engine"));
      const imported = ["engine", "engine/handler", "engine/support"].map((name) => `typeof await import("${name}")`);
      const script = `console.log([${imported}].join())`;
      const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", script], { cwd: project });
      expect(stdout).toBe("object,object,object\n");
    } finally {
      // What npm keeps of packages that it ran once.
      await rm(join(dirname(program), "../.."), { recursive: true });
    }
  });
});
