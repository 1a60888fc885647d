/** The command as a user runs it: the bundle in a process of its own, its exit code, what it prints. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, query, type TestDatabase } from "../support/database.ts";
import { servedPort } from "../support/served-port.ts";
import { ensureBuilt, root } from "../support/shared-checks.ts";

const bundle = join(root, ".build/engine.mjs");
const library = join(root, "fixtures/library");

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

let folder: string;
let database: TestDatabase;
const running = new Set<ChildProcess>();

beforeAll(async () => {
  await ensureBuilt();
  folder = await mkdtemp(join(tmpdir(), "engine-cli-"));
  database = await createDatabase("cli");
  await query(database.url, await readFile(join(library, "postgres/schema.sql"), "utf8"));
}, 120_000);

afterAll(async () => {
  for (const child of running) child.kill("SIGKILL");
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

function start(args: readonly string[], environment: Record<string, string> = {}) {
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(process.execPath, [bundle, ...args], { cwd: folder, env: { PATH, HOME, ...environment } });
  running.add(child);
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (data) => (output.stdout += data));
  child.stderr.on("data", (data) => (output.stderr += data));
  const ended = once(child, "exit").then(([code]): Ended => {
    running.delete(child);
    return { code: code as number | null, ...output };
  });
  return { child, output, ended };
}

const run = (args: readonly string[], environment?: Record<string, string>) => start(args, environment).ended;

describe("engine start", () => {
  it("runs on an embedded PostgreSQL, keeps its data, and stops with it", async () => {
    const ask = async (port: number, path: string, body: unknown) =>
      (await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", body: JSON.stringify(body) })).json();
    for (const round of [1, 2]) {
      const server = start(["start"], { ENGINE_GRAPHQL_SERVER_PORT: "0" });
      const port = await servedPort(server.child);
      if (round === 1) {
        await ask(port, "/v2/query", {
          type: "run_sql",
          args: { sql: "create table note (id serial primary key, text text)" },
        });
        await ask(port, "/v2/query", { type: "run_sql", args: { sql: "insert into note (text) values ('kept')" } });
        await ask(port, "/v1/metadata", { type: "pg_track_table", args: { table: "note" } });
      }
      expect(await ask(port, "/v1/graphql", { query: "{ note { id text } }" })).toEqual({
        data: { note: [{ id: 1, text: "kept" }] },
      });
      server.child.kill("SIGTERM");
      const { code, stderr, stdout } = await server.ended;
      expect(code).toBe(0);
      expect(stderr).toContain(`engine serves on http://localhost:${port}`);
      expect(stderr + stdout).not.toMatch(/postgres:\/\/postgres:(?!<REDACTED>)[^@\s]+@/);
      expect(await readdir(folder)).toContain(".data");
      // What PostgreSQL says of its own start and end is nothing that one has to see.
      expect(stdout).not.toContain("pg-client");
    }
  }, 60_000);

  it("does that only by the name start: serve asks for a database", async () => {
    const { code, stderr } = await run(["serve"], { ENGINE_GRAPHQL_SERVER_PORT: "0" });
    expect(code).toBe(1);
    for (const name of ["--database-url", "ENGINE_GRAPHQL_METADATA_DATABASE_URL", "engine start"]) {
      expect(stderr).toContain(name);
    }
    const server = start(["serve"], { ENGINE_GRAPHQL_DATABASE_URL: database.url, ENGINE_GRAPHQL_SERVER_PORT: "0" });
    await servedPort(server.child);
    server.child.kill("SIGTERM");
    expect((await server.ended).code).toBe(0);
  });

  it("names the host and hides the password of a database it cannot reach", async () => {
    const { code, stderr, stdout } = await run(["start"], {
      ENGINE_GRAPHQL_DATABASE_URL: "postgres://someone:s3cret-word@127.0.0.1:1/nowhere",
      ENGINE_GRAPHQL_NO_OF_RETRIES: "0",
    });
    expect(code).toBe(1);
    expect(stderr).toContain("127.0.0.1:1");
    expect(stderr + stdout).not.toContain("s3cret-word");
  });

  it("says which port is in use", async () => {
    const blocker = createServer().listen(0, "127.0.0.1");
    await once(blocker, "listening");
    const address = blocker.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const { code, stderr } = await run(["start", "--server-port", String(port), "--server-host", "127.0.0.1"], {
      ENGINE_GRAPHQL_DATABASE_URL: database.url,
    });
    blocker.close();
    expect(code).toBe(1);
    expect(stderr).toContain(`port ${port} is in use by another program`);
  });

  it("refuses the demo beside a database of the user's", async () => {
    const { code, stderr } = await run(["start", "--demo"], { ENGINE_GRAPHQL_DATABASE_URL: database.url });
    expect(code).toBe(1);
    expect(stderr).toContain("--demo runs on an embedded PostgreSQL of its own");
  });

  it("keeps the demo's data where it is told", { timeout: 120_000 }, async () => {
    const data = join(folder, "demo-data");
    const server = start(["start", "--demo", "--data-dir", data], { ENGINE_GRAPHQL_SERVER_PORT: "0" });
    await servedPort(server.child);
    server.child.kill("SIGINT");
    // For root it is kept where the account of PostgreSQL can enter.
    expect((await server.ended).stderr).toMatch(/data in \S*demo-data/);
  });

  it("refuses what is no address of a database, without repeating it", async () => {
    const { code, stderr } = await run(["start", "--database-url", "hush"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("--database-url: expected the URL of a PostgreSQL")]);
    expect(stderr).not.toContain("hush");
  });

  it("warns of misspelt variables, and that everybody is an administrator", async () => {
    const server = start(["start", "--log-format", "text", "--insecure-no-secret"], {
      ENGINE_GRAPHQL_DATABASE_URL: database.url,
      ENGINE_GRAPHQL_SERVER_PORT: "0",
      ENGINE_GRAPHQL_ADMIN_SECRT: "s3cret-word",
    });
    await servedPort(server.child);
    server.child.kill("SIGTERM");
    const { stderr, stdout } = await server.ended;
    const misspelt =
      "ENGINE_GRAPHQL_ADMIN_SECRT is no option, and has no effect; did you mean ENGINE_GRAPHQL_ADMIN_SECRET?";
    for (const output of [stderr, stdout]) {
      expect(output).toContain(misspelt);
      expect(output).toContain(
        "without an admin secret (--insecure-no-secret): every client that reaches it is an administrator",
      );
    }
    expect(stdout).toMatch(/^\d\d:\d\d:\d\d options: database_url_set=true server_port=0 .*log_format=text.*\n/m);
    expect(stderr + stdout).not.toContain("s3cret-word");
  });

  it.each(["1", "2"])(
    "makes an admin secret for all addresses, of %s processes, and never logs it",
    async (workers) => {
      const server = start(["start", "--make-admin-secret", "--workers", workers], {
        ENGINE_GRAPHQL_DATABASE_URL: database.url,
        ENGINE_GRAPHQL_SERVER_HOST: "*",
        ENGINE_GRAPHQL_SERVER_PORT: "0",
      });
      const port = await servedPort(server.child);
      const shown = () => /admin secret, for this start only: ([0-9a-f]{64})\n/.exec(server.output.stderr)?.[1];
      await expect.poll(shown).toBeDefined();
      const status = async (headers: Record<string, string>) => {
        const body = JSON.stringify({ type: "export_metadata", args: {} });
        return (await fetch(`http://127.0.0.1:${port}/v1/metadata`, { method: "POST", headers, body })).status;
      };
      expect(await status({})).toBe(401);
      for (let i = 0; i < 4; i++) expect(await status({ "x-engine-admin-secret": shown() ?? "" })).toBe(200);
      server.child.kill("SIGTERM");
      const { stdout, stderr } = await server.ended;
      expect(stdout).not.toContain(shown());
      expect(stderr).not.toContain("WARNING");
    },
  );

  it("says nothing of that on a loopback address", async () => {
    const server = start(["start", "--server-host", "127.0.0.1", "--server-port", "0"], {
      ENGINE_GRAPHQL_DATABASE_URL: database.url,
    });
    await servedPort(server.child);
    server.child.kill("SIGTERM");
    const { stderr, stdout } = await server.ended;
    expect(stderr).not.toContain("WARNING");
    const kinds = stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line).detail.kind]));
    expect(kinds).toContain("no_admin_secret");
    expect(kinds).not.toContain("open_server");
  });

  it("suggests the option that was meant, on a line or two", async () => {
    const { code, stderr } = await run(["start", "--admin-secrt", "x"]);
    expect(code).toBe(1);
    expect(stderr).toContain("Did you mean --admin-secret?");
    expect(stderr.split("\n").length).toBeLessThan(6);
  });

  it("names every wrong setting", async () => {
    const { code, stderr } = await run(["start"], {
      ENGINE_GRAPHQL_SERVER_PORT: "many",
      ENGINE_GRAPHQL_STRINGIFY_NUMERIC_TYPES: "perhaps",
    });
    expect(code).toBe(1);
    expect(stderr).toContain("ENGINE_GRAPHQL_SERVER_PORT");
    expect(stderr).toContain("ENGINE_GRAPHQL_STRINGIFY_NUMERIC_TYPES");
  });
});

describe("engine compile", () => {
  it("writes the same bytes from a saved shape as from the database, and on another path", async () => {
    expect((await run(["shape", "--database", database.url, "--out", "shape.json"])).code).toBe(0);
    const metadata = join(library, "metadata");
    const offline = await run(["compile", "--metadata", metadata, "--shape", "shape.json", "--out", "offline"]);
    expect([offline.code, offline.stderr]).toEqual([0, ""]);
    const online = await run([
      "compile",
      "--metadata",
      metadata,
      "--database",
      database.url,
      "--out",
      "deep/er/online",
    ]);
    expect(online.code).toBe(0);
    const files = await filesBelow(join(folder, "offline"));
    expect(files.size).toBeGreaterThan(20);
    expect(await filesBelow(join(folder, "deep/er/online"))).toEqual(files);
    expect(files).toEqual(await filesBelow(join(root, "generated")));
    const beside = await run(["compile", "--metadata", metadata, "--out", "beside"]);
    expect([beside.code, beside.stderr]).toEqual([0, ""]);
    expect(await filesBelow(join(folder, "beside"))).toEqual(files);
  });

  it("points at a mistake in the metadata, with the nearest name, and writes nothing", async () => {
    await cp(join(library, "metadata"), join(folder, "mistaken"), { recursive: true });
    const file = join(folder, "mistaken/databases/default/tables/public_author.yaml");
    await writeFile(file, (await readFile(file, "utf8")).replace("columns: [id, name]", "columns: [id, nam]"));
    const { code, stdout, stderr } = await run([
      "compile",
      "--metadata",
      "mistaken",
      "--database",
      database.url,
      "--out",
      "never",
    ]);
    expect(code).toBe(1);
    expect(stdout + stderr).toContain("public_author.yaml");
    expect(stdout + stderr).toContain('in table "author": in permission for role "visitor": "nam" does not exist');
    expect(stdout + stderr).toMatch(/name/);
    expect(await readdir(folder)).not.toContain("never");
  });
});

/** Contents by path below a folder. */
async function filesBelow(path: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const contents = await Promise.all(
    files.map(async (file) => [file.slice(path.length), await readFile(file, "utf8")] as const),
  );
  return new Map(contents.sort(([a], [b]) => (a < b ? -1 : 1)));
}
