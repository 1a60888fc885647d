/** The instructions of `docs/tutorial/start.md` are carried out with the package as npm installs it. */
import { execFile } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../support/free-port.ts";
import { missingProgram } from "../../support/missing-program.ts";
import { projectEnvironment as environment, instructionsOf, projectOfPage } from "../../support/page-instructions.ts";
import { ensureBuilt, root } from "../../support/shared-checks.ts";
import { filesBelow, temporaryDirectory } from "../../unit/metadata-directory/temporary-directory.ts";

const run = promisify(execFile);
/** Packs a folder as npm publishes it, and returns the path of the file. */
async function packed(folder: string, destination: string): Promise<string> {
  // Scripts would rebuild the package while other tests use the build.
  const flags = ["--silent", "--ignore-scripts", "--pack-destination", destination];
  return join(destination, (await run("npm", ["pack", ...flags], { cwd: folder })).stdout.trim());
}

/**
 * Runs a command of a package with `npm exec`, and returns the lines of its output.
 * @param command in shell syntax, beginning with the name of a program of the package
 */
async function execute(archive: string, command: string, cwd: string): Promise<readonly string[]> {
  const script = `command -v ${command.split(" ", 1)} && ${command}`;
  const exec = ["exec", "--yes", `--package=${archive}`, "--", "sh", "-c", script];
  const [program = "", ...lines] = (await run("npm", exec, { cwd, env: environment })).stdout.split("\n");
  // Removes the package from npm's cache of executed packages.
  await rm(join(dirname(program), "../.."), { recursive: true });
  return lines;
}

const nextCommands = ["  cd my-app", "  npm install", "  npm run dev", ""];

beforeAll(ensureBuilt, 120_000);

it("The package for npm create writes the same project as engine init", { timeout: 120_000 }, async () => {
  const folder = await temporaryDirectory();
  await run(process.execPath, [join(root, ".ci/create-package.mjs"), join(folder, "package")]);
  const { name } = JSON.parse(await readFile(join(folder, "package/package.json"), "utf8"));
  const archive = await packed(join(folder, "package"), folder);
  const [created, ...next] = await execute(archive, `${name} my-app --template multi-tenant`, folder);
  expect([created, next]).toEqual([expect.stringContaining("from the template multi-tenant"), nextCommands]);
  await run(process.execPath, [join(root, ".build/engine.mjs"), "init", "other", "--template", "multi-tenant"], {
    cwd: folder,
  });
  const files = (await filesBelow(join(folder, "other"))).filter((path) => path !== ".env" && path !== "package.json");
  expect(await filesBelow(join(folder, "my-app"))).toEqual([...files, ".env", "package.json"].sort());
  for (const file of files) {
    const text = await readFile(join(folder, "other", file), "utf8");
    expect([file, await readFile(join(folder, "my-app", file), "utf8")]).toEqual([file, text]);
  }
});

describe.skipIf(missingProgram("script"))("The start page", () => {
  it("The commands of the start page print the shown output", { timeout: 420_000 }, async () => {
    const folder = await temporaryDirectory();
    const { name } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
    const archive = await packed(root, folder);
    const [first, ...steps] = await instructionsOf("docs/tutorial/start.md");
    expect(first?.text).toBe(`npx ${name} init my-app\ncd my-app && npm install\nnpm run dev\n`);

    const port = await freePort();
    const project = join(folder, "my-app");
    const [, ...next] = await execute(archive, `engine init my-app --endpoint http://127.0.0.1:${port}`, folder);
    expect(next).toEqual(nextCommands);
    await run("npm", ["install", archive], { cwd: project, env: environment });
    const variables = join(project, ".env");
    const text = await readFile(variables, "utf8");
    await writeFile(variables, text.replaceAll("3100", String(await freePort())));
    const page = projectOfPage(project, { "localhost:8080": `127.0.0.1:${port}` });
    try {
      await page.follow({
        action: undefined,
        path: undefined,
        language: "sh",
        text: "npm run dev\n",
        output: undefined,
      });
      for (const step of steps) await page.follow(step);
      const table = join(project, "metadata/databases/default/tables/public_note.yaml");
      const permission = await readFile(table, "utf8");
      await writeFile(table, permission.replace(/filter:\n +owner_id:\n.*\n/, "filter: {}\n"));
      await expect(page.shell("npm test")).rejects.toThrow();
    } finally {
      await page.end();
      await rm(join(project, "node_modules"), { recursive: true, force: true });
    }
  });
});
