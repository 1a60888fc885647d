/** External text remains data: it becomes neither an option of a program nor an additional statement. */
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query } from "../../support/database.ts";
import { startTestServer, type TestServer } from "../../support/server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ sealed: false });
}, 60_000);

afterAll(() => server.close());

describe("Options of pg_dump", () => {
  const path = process.env.PATH;
  let folder: string;

  /** A replacement of `pg_dump` that prints its arguments, one per line. */
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "engine-dump-"));
    await writeFile(join(folder, "pg_dump"), `#!/bin/sh\nprintf '%s\\n' "$@"\n`);
    await chmod(join(folder, "pg_dump"), 0o755);
    process.env.PATH = `${folder}:${path}`;
  });

  afterAll(async () => {
    process.env.PATH = path;
    await rm(folder, { recursive: true, force: true });
  });

  const dump = async (opts: readonly string[]) => {
    const body = JSON.stringify({ opts });
    const response = await fetch(`${server.url}/v1alpha1/pg_dump`, { method: "POST", body });
    return { status: response.status, text: await response.text() };
  };

  it.each([
    [["--dbname=host=203.0.113.9"]],
    [["-dhost=203.0.113.9"]],
    [["-d", "host=203.0.113.9"]],
    [["--dbn", "host=203.0.113.9"]],
    [["host=203.0.113.9"]],
    [["-s", "postgres://203.0.113.9/x"]],
    [["--", "postgres://203.0.113.9/x"]],
    [["--host=203.0.113.9"]],
    [["-h203.0.113.9"]],
    [["-sh203.0.113.9"]],
    [["-p", "1"]],
    [["-Usomebody"]],
    [["--file=/tmp/written"]],
    [["--fil=/tmp/written"]],
    [["-f/tmp/written"]],
    [["-xOf", "/tmp/written"]],
    [["-Fd"]],
    [["--format=directory"]],
    [["--filter=/etc/passwd"]],
    [["-j2"]],
  ])("An option of pg_dump cannot reach another host or a file: %j", async (opts) => {
    const { status, text } = await dump(opts);
    expect([status, JSON.parse(text)]).toEqual([
      400,
      expect.objectContaining({ code: "bad-request", path: expect.stringMatching(/^\$\.opts\[\d\]$/) }),
    ]);
    expect(text).not.toContain("203.0.113.9");
  });

  it("Options of pg_dump are passed on in an unambiguous form", async () => {
    const { status, text } = await dump(["-xO", "-n", "--file=/tmp/written"]);
    expect(status).toBe(200);
    expect(text.trimEnd().split("\n").slice(-3)).toEqual([
      "--no-privileges",
      "--no-owner",
      "--schema=--file=/tmp/written",
    ]);
  });
});

describe("Paths of dynamic_from_file", () => {
  let folder: string;
  let guarded: TestServer;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "engine-secrets-"));
    for (const name of ["secrets", "secrets-evil"]) {
      await mkdir(join(folder, name));
      await writeFile(join(folder, name, "db"), "postgres://me:s3cret@127.0.0.1:1/db");
    }
    await symlink("../secrets-evil/db", join(folder, "secrets/link"));
    const environment = { ENGINE_GRAPHQL_DYNAMIC_SECRETS_ALLOWED_PATH_PREFIX: join(folder, "secrets") };
    guarded = await startTestServer({ sealed: false, environment });
  }, 60_000);

  afterAll(async () => {
    await guarded.close();
    await rm(folder, { recursive: true, force: true });
  });

  const added = async (path: string): Promise<string> => {
    const configuration = { connection_info: { database_url: { dynamic_from_file: join(folder, path) } } };
    const body = JSON.stringify({ type: "pg_add_source", args: { name: "other", configuration } });
    return (await fetch(`${guarded.url}/v1/metadata`, { method: "POST", body })).text();
  };

  it("dynamic_from_file cannot name a file outside of the allowed prefix", async () => {
    for (const path of ["secrets-evil/db", "secrets/../secrets-evil/db", "secrets/link"]) {
      const answer = await added(path);
      expect(answer, path).toContain("allowed prefix");
      expect(answer, path).not.toContain("connection error");
    }
    expect(await added("secrets/db")).not.toContain("allowed prefix");
  });
});

describe("SQL in read-only transactions", () => {
  const run = (sql: string) => server.post("/v2/query", { type: "run_sql", args: { sql, read_only: true } });

  beforeAll(() => query(server.databaseUrl, "create table kept (value text)"));

  it.each([
    "commit; insert into kept values ('x')",
    "end; insert into kept values ('x')",
    "commit and chain; set transaction read write; insert into kept values ('x')",
    "rollback and chain; set transaction_read_only = off; insert into kept values ('x')",
    "rollback; begin; insert into kept values ('x'); commit",
    "/* ; */ COMMIT /* ' */; insert into kept values ('x')",
    "set transaction read write; insert into kept values ('x')",
    "set transaction_read_only = off; insert into kept values ('x')",
    "select set_config('transaction_read_only', 'off', true); insert into kept values ('x')",
    "savepoint s; set transaction read write; insert into kept values ('x')",
    "set session characteristics as transaction read write; insert into kept values ('x')",
    "do $$ begin commit; insert into kept values ('x'); end $$",
    "set standard_conforming_strings = off; select 'a\\'; commit; insert into kept values (''x''); --'; insert into kept values ('x')",
    "set standard_conforming_strings = on; select 'a\\'; commit; insert into kept values ('x'); --'",
    "insert into kept values ('x')",
  ])("Read-only SQL cannot leave its transaction: %s", async (sql) => {
    const answer = await run(sql);
    expect(answer.status).toBe(400);
    expect(await query(server.databaseUrl, "select * from kept")).toEqual([]);
  });

  it("Read-only SQL reports the refused statement and returns the result of the last one", async () => {
    expect((await run("select 1; commit; select 2")).json).toMatchObject({
      code: "not-supported",
      error: "COMMIT is not allowed in a read-only transaction",
    });
    expect((await run("savepoint a; select 1 as a; select 2 as b, null as c")).json).toEqual({
      result_type: "TuplesOk",
      result: [
        ["b", "c"],
        ["2", "NULL"],
      ],
    });
    const set = await run("select 1; set local work_mem = '5MB'");
    expect(set.json).toEqual({ result_type: "CommandOk", result: null });
  });
});

describe("Read-only mode", () => {
  let readOnly: TestServer;

  beforeAll(async () => {
    await query(
      server.databaseUrl,
      `create table noted (value text);
       create function note(value text) returns setof noted language sql volatile as
         $$ insert into noted values (value) returning * $$;
       create function note_now() returns text language sql volatile as
         $$ insert into noted values ('view') returning value $$;
       create view noting as select note_now() as value;`,
    );
    await server.metadata("pg_track_table", { table: "noted" });
    await server.metadata("pg_track_table", { table: "noting" });
    await server.metadata("pg_track_function", { function: "note", configuration: { exposed_as: "query" } });
    const environment = { ENGINE_GRAPHQL_ENABLE_READ_ONLY_MODE: "true" };
    readOnly = await startTestServer({ on: server, environment, sealed: false });
  }, 60_000);

  afterAll(() => readOnly.stop());

  it.each(['{ note(args: {value: "function"}) { value } }', "{ noting { value } }"])(
    "Read-only mode prevents a query from writing: %s",
    async (text) => {
      expect(await readOnly.graphql(text)).toMatchObject({ errors: [{}] });
      expect(await query(server.databaseUrl, "select * from noted")).toEqual([]);
      expect(await readOnly.graphql("{ noted { value } }")).toEqual({ data: { noted: [] } });
    },
  );

  it("The same queries write if read-only mode is off", async () => {
    const text = '{ note(args: {value: "written"}) { value } }';
    expect(await server.graphql(text)).toEqual({ data: { note: [{ value: "written" }] } });
  });
});
