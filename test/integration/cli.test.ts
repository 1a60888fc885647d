/** The command as a user runs it: the bundle in its own process, its exit code and its output. */

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

describe("The engine start command", () => {
  it("engine start runs an embedded PostgreSQL, keeps its data and stops it", async () => {
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
      expect(stderr + stdout).not.toMatch(/postgres:\/\/\w+:(?!<REDACTED>)[^@\s]+@/);
      expect(await readdir(folder)).toContain(".data");
      // Starting and stopping the embedded PostgreSQL logs no `pg-client` lines.
      expect(stdout).not.toContain("pg-client");
    }
  }, 60_000);

  it("engine serve requires a database, unlike engine start", async () => {
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

  it("engine start names the host of an unreachable database and hides its password", async () => {
    const { code, stderr, stdout } = await run(["start"], {
      ENGINE_GRAPHQL_DATABASE_URL: "postgres://someone:s3cret-word@127.0.0.1:1/nowhere",
      ENGINE_GRAPHQL_NO_OF_RETRIES: "0",
    });
    expect(code).toBe(1);
    expect(stderr).toContain("127.0.0.1:1");
    expect(stderr + stdout).not.toContain("s3cret-word");
  });

  it("engine start names the port that is in use", async () => {
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

  it("engine start refuses --demo beside an external database", async () => {
    const { code, stderr } = await run(["start", "--demo"], { ENGINE_GRAPHQL_DATABASE_URL: database.url });
    expect(code).toBe(1);
    expect(stderr).toContain("--demo runs on its own embedded PostgreSQL");
  });

  it("engine start keeps the demo's data in the given folder", { timeout: 120_000 }, async () => {
    const data = join(folder, "demo-data");
    const server = start(["start", "--demo", "--data-dir", data], { ENGINE_GRAPHQL_SERVER_PORT: "0" });
    await servedPort(server.child);
    server.child.kill("SIGINT");
    await server.ended;
    expect(await readdir(join(data, "cluster"))).toContain("PG_VERSION");
  });

  it("engine start refuses an invalid database URL without repeating it", async () => {
    const { code, stderr } = await run(["start", "--database-url", "hush"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("--database-url: expected the URL of a PostgreSQL")]);
    expect(stderr).not.toContain("hush");
  });

  it("engine start warns about misspelt variables and open admin access", async () => {
    const server = start(["start", "--log-format", "text", "--insecure-no-secret"], {
      ENGINE_GRAPHQL_DATABASE_URL: database.url,
      ENGINE_GRAPHQL_SERVER_PORT: "0",
      ENGINE_GRAPHQL_ADMIN_SECRT: "s3cret-word",
    });
    await servedPort(server.child);
    server.child.kill("SIGTERM");
    const { stderr, stdout } = await server.ended;
    const misspelt =
      "unknown environment variable ENGINE_GRAPHQL_ADMIN_SECRT has no effect; did you mean ENGINE_GRAPHQL_ADMIN_SECRET?";
    for (const output of [stderr, stdout]) {
      expect(output).toContain(misspelt);
      expect(output).toContain(
        "without an admin secret (--insecure-no-secret): every client that reaches it is an administrator",
      );
    }
    expect(stdout).toMatch(/^\d\d:\d\d:\d\d options: database_url_set=true server_port=0 .*log_format=text.*\n/m);
    expect(stderr + stdout).not.toContain("s3cret-word");
  });

  it("engine start names variables of the original engine, which it does not read", async () => {
    const server = start(["start", "--log-format", "text"], {
      ENGINE_GRAPHQL_DATABASE_URL: database.url,
      ENGINE_GRAPHQL_SERVER_PORT: "0",
      HASURA_GRAPHQL_DATABASE_URL: "postgres://me:s3cret-word@old/app",
      HASURA_GRAPHQL_ADMIN_SECRET: "s3cret-word",
    });
    await servedPort(server.child);
    server.child.kill("SIGTERM");
    const { stderr, stdout } = await server.ended;
    for (const output of [stderr, stdout]) {
      expect(output).toContain(
        "HASURA_GRAPHQL_ADMIN_SECRET is not read, and the server has no admin secret: set ENGINE_",
      );
      expect(output).not.toContain("HASURA_GRAPHQL_DATABASE_URL");
      expect(output).not.toContain("s3cret-word");
    }
  });

  it.each(["1", "2"])("engine start generates an admin secret with %s processes and never logs it", async (workers) => {
    const server = start(["start", "--make-admin-secret", "--workers", workers], {
      ENGINE_GRAPHQL_DATABASE_URL: database.url,
      ENGINE_GRAPHQL_SERVER_HOST: "*",
      ENGINE_GRAPHQL_SERVER_PORT: "0",
    });
    const port = await servedPort(server.child);
    const shown = () =>
      /admin secret: ([0-9a-f]{64}) \(valid until the server stops\)\n/.exec(server.output.stderr)?.[1];
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
    expect(stderr).not.toContain("warning:");
  });

  it("engine start does not warn about open access on a loopback address", async () => {
    const server = start(["start", "--server-host", "127.0.0.1", "--server-port", "0"], {
      ENGINE_GRAPHQL_DATABASE_URL: database.url,
    });
    await servedPort(server.child);
    server.child.kill("SIGTERM");
    const { stderr, stdout } = await server.ended;
    expect(stderr).not.toContain("warning:");
    const kinds = stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line).detail.kind]));
    expect(kinds).toContain("no_admin_secret");
    expect(kinds).not.toContain("open_server");
  });

  it("engine start suggests the nearest option in one line, without its value", async () => {
    const { code, stderr } = await run(["start", "--admin-secrt=s3cret-word"]);
    expect([code, stderr]).toEqual([1, "error: unknown option --admin-secrt; did you mean --admin-secret?\n"]);
  });

  it("engine start names every invalid setting", async () => {
    const { code, stderr } = await run(["start"], {
      ENGINE_GRAPHQL_SERVER_PORT: "many",
      ENGINE_GRAPHQL_STRINGIFY_NUMERIC_TYPES: "perhaps",
    });
    expect(code).toBe(1);
    expect(stderr).toContain("ENGINE_GRAPHQL_SERVER_PORT");
    expect(stderr).toContain("ENGINE_GRAPHQL_STRINGIFY_NUMERIC_TYPES");
  });
});

describe("The engine compile command with a database", () => {
  it("engine compile writes the same bytes from a saved shape and from the database, at any path", async () => {
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
    // The repository contains the SDL of only one role, and the hashes of all files in the manifest.
    const committed = await filesBelow(join(root, "generated"));
    expect(new Map([...files].filter(([path]) => committed.has(path)))).toEqual(committed);
    const beside = await run(["compile", "--metadata", metadata, "--out", "beside"]);
    expect([beside.code, beside.stderr]).toEqual([0, ""]);
    expect(await filesBelow(join(folder, "beside"))).toEqual(files);
  });

  it("engine compile locates an error in the metadata with the nearest name and writes no files", async () => {
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

/** Returns the contents of the files below a folder, by path. */
async function filesBelow(path: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const contents = await Promise.all(
    files.map(async (file) => [file.slice(path.length), await readFile(file, "utf8")] as const),
  );
  return new Map(contents.sort(([a], [b]) => (a < b ? -1 : 1)));
}
