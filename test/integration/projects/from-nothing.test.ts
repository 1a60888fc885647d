/** The package as a new user runs it: packed, and run by npm in another folder. `start-page.test.ts` continues. */
import { execFile } from "node:child_process";
import { mkdir, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { missingProgram } from "../../support/missing-program.ts";
import { ensureBuilt, root } from "../../support/shared-checks.ts";
import { startTerminal } from "../../support/terminal.ts";
import { temporaryDirectory } from "../../unit/metadata-directory/temporary-directory.ts";

const run = promisify(execFile);
const environment = { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", npm_config_prefer_offline: "true" };

beforeAll(ensureBuilt);

describe.skipIf(missingProgram("script"))("Projects from scratch", () => {
  it("The packed package creates a project, serves the demo and can be imported", { timeout: 420_000 }, async () => {
    const folder = await temporaryDirectory();
    // Its scripts would rebuild the package while other tests use the build.
    const pack = ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder];
    const { stdout: name } = await run("npm", pack, { cwd: root });
    const exec = ["exec", "--yes", `--package=${join(folder, name.trim())}`, "--"];
    const npm = async (...args: readonly string[]): Promise<string> =>
      (await run("npm", [...exec, ...args], { cwd: folder, env: environment })).stdout;
    const program = (await npm("sh", "-c", "command -v engine")).trim();
    expect(program).toMatch(/_npx.*\.bin\/engine$/);
    try {
      expect(await npm("engine", "init", "demo")).toMatch(/\n {2}cd demo\n {2}npm install\n {2}npm run dev\n$/);
      const project = join(folder, "demo");
      const inTerminal = (command: string) =>
        startTerminal(`npm ${exec.map((word) => `'${word}'`).join(" ")} ${command}`, project);
      const demo = inTerminal("engine start --demo --server-port 0");
      try {
        const [, url = ""] = /API.*?(http:\S+)\/v1\/graphql/.exec(await demo.until("ready in ")) ?? [];
        const body = JSON.stringify({ query: "{ book(limit: 1, order_by: {title: asc}) { title } }" });
        const answer = await fetch(`${url}/v1/graphql`, { method: "POST", body });
        expect(await answer.json()).toEqual({ data: { book: [{ title: expect.any(String) }] } });
      } finally {
        await demo.end();
      }
      // After installation as `engine@file:…`, the package has this name in the program's folder.
      await mkdir(join(project, "node_modules"));
      await symlink(join(dirname(program), "../graphql-rest-engine"), join(project, "node_modules/engine"));
      const imported = ["engine", "engine/handler", "engine/support"].map((name) => `typeof await import("${name}")`);
      const script = `console.log([${imported}].join())`;
      const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", script], { cwd: project });
      expect(stdout).toBe("object,object,object\n");
    } finally {
      // Removes the package from npm's cache of executed packages.
      await rm(join(dirname(program), "../.."), { recursive: true });
    }
  });
});
