/** `engine psql`: the connection that it passes to psql, and its messages. A script that replaces psql prints both. */
import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openAsOwner } from "../../runtime/databases/embedded-postgres/owner-role.ts";
import { startEmbeddedPostgres } from "../../runtime/databases/embedded-postgres/start-embedded-postgres.ts";
import { createDatabase, query } from "../support/database.ts";
import { startEngine } from "../support/engine-process.ts";
import { ensureBuilt, root } from "../support/shared-checks.ts";

const bundle = join(root, ".build/engine.mjs");
let folder: string;

beforeAll(ensureBuilt, 120_000);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "engine-psql-"));
  // PostgreSQL runs as another account if the test runs as root.
  await chmod(folder, 0o755);
  await mkdir(join(folder, "bin"));
  await writeFile(join(folder, "bin/psql"), '#!/bin/sh\nprintf "%s\\n" "$PGPASSWORD" "$@"\nexit 3\n', { mode: 0o755 });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function psql(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  const env = { PATH: join(folder, "bin"), HOME: folder, ...environment };
  const run = promisify(execFile)(process.execPath, [bundle, "psql", ...args], { cwd: folder, env });
  return run.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: Outcome) => ({ code, stdout, stderr }),
  );
}

describe("The engine psql command", { timeout: 120_000 }, () => {
  it("The password of a configured database is in the environment of psql and not in its arguments", async () => {
    const url = "postgres://me:hunt%20er2@localhost:1/shop?sslmode=no-verify";
    await writeFile(join(folder, ".env"), `ENGINE_GRAPHQL_DATABASE_URL='${url}'\n`);
    expect(await psql(["-c", "select 1", "--", "--source"])).toEqual({
      code: 3,
      stdout: "hunt er2\n--dbname=postgres://me@localhost:1/shop?sslmode=require\n-c\nselect 1\n--\n--source\n",
      stderr: "",
    });
  });

  it("The running embedded PostgreSQL is found, and its session owns what it creates as the role of the engine", async () => {
    const postgres = await startEmbeddedPostgres({ dataDirectory: join(folder, ".data/demo"), durable: false });
    try {
      await openAsOwner(postgres.url, { databases: ["engine"], mayBecomeSuperuser: false });
      const { stdout } = await psql([]);
      const [password = "", address = ""] = stdout.split("\n");
      const url = Object.assign(new URL(address.replace("--dbname=", "")), { password }).href;
      expect(await query(url, "select current_user as role, session_user as login")).toEqual([
        { role: "engine", login: "engine_tool" },
      ]);
      await query(url, "create table made (n int)");
      expect(await query(url, "select tableowner from pg_tables where tablename = 'made'")).toEqual([
        { tableowner: "engine" },
      ]);
      await expect(query(url, "reset role; select pg_read_file('/etc/passwd')")).rejects.toThrow("permission denied");
    } finally {
      await postgres.stop();
    }
    expect(await psql([])).toMatchObject({
      code: 1,
      stderr:
        "error: no PostgreSQL runs in .data/postgres, .data or .data/demo; start the server with `engine start`, or set --data-dir\n",
    });
  });

  it("A source of the metadata is found by its name, and a misspelt one is refused with the nearest", async () => {
    const database = await createDatabase("psql");
    try {
      const environment = { HOME: folder, ENGINE_GRAPHQL_DATABASE_URL: database.url, SHOP_URL: database.url };
      const server = await startEngine(environment, undefined, folder);
      const add = {
        type: "pg_add_source",
        args: { name: "shop", configuration: { connection_info: { database_url: { from_env: "SHOP_URL" } } } },
      };
      const response = await fetch(`${server.url}/v1/metadata`, { method: "POST", body: JSON.stringify(add) });
      expect(await response.json()).toEqual({ message: "success" });
      const shop = { SHOP_URL: "postgres://me:hunter2@shop/shop" };
      expect(await psql(["--endpoint", server.url, "--source", "shop", "-l"], shop)).toMatchObject({
        stdout: "hunter2\n--dbname=postgres://me@shop/shop\n-l\n",
      });
      expect(await psql(["--endpoint", server.url, "--source", "shpo"])).toMatchObject({
        code: 1,
        stderr: 'error: the server has no database shpo: did you mean "shop"?\n',
      });
      server.child.kill();
      await server.ended;
    } finally {
      await database.drop();
    }
  });

  it("Without psql, the error names the package; a remote server is refused before anything runs", async () => {
    const environment = { ENGINE_GRAPHQL_DATABASE_URL: "postgres://me:hunter2@localhost:1/shop" };
    expect(await psql([], { ...environment, PATH: folder })).toEqual({
      code: 1,
      stdout: "",
      stderr:
        "error: psql is not installed: install the Debian package postgresql-client (`apt install postgresql-client`), or `brew install libpq`\n",
    });
    expect(await psql(["--endpoint", "https://api.example"], environment)).toEqual({
      code: 1,
      stdout: "",
      stderr:
        "error: option --endpoint: the server https://api.example is remote; run psql with the address of its database instead\n",
    });
  });
});
