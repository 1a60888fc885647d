/** `engine init`: messages, refused folders, and the values in files of a new project. */
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { templateNames } from "../../../runtime/cli/project/template.ts";
import { runCommand } from "../../support/command-line.ts";
import { filesBelow, temporaryDirectory } from "../metadata-directory/temporary-directory.ts";

const read = (folder: string, path: string) => readFile(join(folder, path), "utf8");

describe("The engine init command", () => {
  it("A new project is a todo list, and the output has the next three commands", async () => {
    const folder = join(await temporaryDirectory(), "My shop");
    expect(await runCommand("init", folder)).toEqual({
      code: 0,
      stdout: `created a project in ${folder} from the template todo; README.md describes it. Next:
  cd '${folder}'
  npm install
  npm run dev
`,
      stderr: "",
    });
    expect(JSON.parse(await read(folder, "package.json")).name).toBe("my-shop");
    expect(await read(folder, "README.md")).toContain("# Todo lists");
    for (const file of ["AGENTS.md", ".gitignore", ".github/workflows/check.yaml"]) {
      expect(await filesBelow(folder)).toContain(file);
    }
  });

  it("A folder with other files is refused, and keeps them", async () => {
    const files = Object.fromEntries(["a", "b", "c", "d", "e", "f", "package.json"].map((name) => [name, name]));
    const folder = await temporaryDirectory(files);
    expect(await runCommand("init", folder)).toEqual({
      code: 1,
      stdout: "",
      stderr: `error: ${folder} is not empty (a, b, c, d, e and 2 more): choose another folder\n`,
    });
    expect(await filesBelow(folder)).toEqual(Object.keys(files));
    expect(await read(folder, "package.json")).toBe("package.json");
    await writeFile(join(folder, "config.yaml"), "version: 3\n");
    expect((await runCommand("init", folder)).stderr).toContain("already contains a project (a, b, ");
  });

  it("A folder that contains only a repository counts as empty", async () => {
    const folder = await temporaryDirectory();
    await mkdir(join(folder, ".git"));
    expect(await runCommand("init", folder, "--template", "empty")).toMatchObject({ code: 0 });
  });

  it("An unknown template is refused with the nearest name", async () => {
    const folder = join(await temporaryDirectory(), "shop");
    expect(await runCommand("init", folder, "--template", "multitenant")).toMatchObject({
      code: 1,
      stderr: 'error: option --template: unknown template "multitenant"; did you mean "multi-tenant"?\n',
    });
    expect(await runCommand("init", folder, "--template", "shared")).toMatchObject({
      code: 1,
      stderr: 'error: option --template: unknown template "shared"; the templates are empty, multi-tenant, todo\n',
    });
    await expect(readdir(folder)).rejects.toThrow("ENOENT");
  });

  it("--endpoint and --admin-secret are in the files of the project, and the secret only in .env", async () => {
    const endpoint = "http://localhost:9090";
    for (const template of await templateNames()) {
      const folder = join(await temporaryDirectory(), "shop");
      const flags = ["--template", template, "--endpoint", endpoint, "--admin-secret", "a word"];
      const { code, stdout } = await runCommand("init", folder, ...flags);
      expect([code, stdout]).toEqual([0, expect.not.stringContaining("a word")]);
      expect(await read(folder, "config.yaml")).toContain(`endpoint: ${endpoint}\n`);
      for (const file of await filesBelow(folder)) {
        const text = await read(folder, file);
        expect(text).not.toContain("localhost:8080");
        expect([file, text.includes("a word")]).toEqual([file, file === ".env"]);
      }
      const secrets = (await read(folder, ".env")).match(/^ENGINE_GRAPHQL_ADMIN_SECRET=.*$/gm);
      expect(secrets).toEqual(['ENGINE_GRAPHQL_ADMIN_SECRET="a word"']);
      expect(await read(folder, ".env")).toMatch(/^HANDLER_SECRET=whsec_[0-9a-f]{64}$/m);
      expect(await read(folder, ".env")).not.toContain("{{");
      // A copy of this file must not have secrets that others know.
      expect(await read(folder, ".env.example")).not.toMatch(/\{\{|whsec_.|ADMIN_SECRET=.|"key": "[^"]/);
      expect((await stat(join(folder, ".env"))).mode & 0o077).toBe(0);
    }
  });
});
