/** `engine database check`: all suites on PostgreSQL, and those of SQL Server with a server that speaks its protocol. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CheckReport } from "../../runtime/cli/database-check/report.ts";
import { bind } from "../../runtime/model/definitions/parameters.ts";
import { caseNames, casesOf, readCase, readFixture, readResult } from "../golden/cases.ts";
import { engine } from "../support/artifact.ts";
import { postgresUrl, query } from "../support/database.ts";
import { catalogueOfDdl } from "../support/mssql-ddl.ts";
import { planOnSqlServer } from "../support/mssql-golden.ts";
import { ensureBuilt, root } from "../support/shared-checks.ts";
import { startTdsPeer, type TdsAnswer } from "../support/tds-peer.ts";

let folder: string;

beforeAll(async () => {
  await ensureBuilt();
  folder = await mkdtemp(join(tmpdir(), "database-check-"));
}, 120_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

const check = (...args: readonly string[]) => engine(["database", "check", ...args], folder);

async function report(): Promise<CheckReport> {
  return JSON.parse(await readFile(join(folder, "database-check.json"), "utf8"));
}

const failed = ({ suites }: CheckReport) =>
  suites.flatMap(({ name, cases }) =>
    cases.flatMap((each) => (each.outcome === "passed" ? [] : [`${name}/${each.name}: ${each.reason}`])),
  );

describe("engine database check on PostgreSQL", () => {
  it("All cases pass in a database that is dropped afterwards, and the files have no address", async () => {
    const url = postgresUrl();
    const { code, stdout, stderr } = await check("--url", url, "--junit", "report.xml");
    const result = await report();
    expect(failed(result)).toEqual([]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(result).toMatchObject({ format: 1, kind: "postgres", failed: 0, skipped: 0 });
    expect(result.server.version).toMatch(/^PostgreSQL /);
    expect(result.suites.map(({ name }) => name)).toEqual([
      ...["metadata", "query", "mutation", "types", "names", "collations", "nesting", "load", "concurrency"],
      ...["connections", "isolation", "events", "subscriptions", "plans"],
    ]);
    const page = await readFile(join(root, "docs/how-to/database-check.md"), "utf8");
    for (const { name } of result.suites) expect(page).toMatch(new RegExp(`^\\| .*\`${name}\`.* \\|`, "m"));
    expect(result.suites[1]?.passed).toBe((await casesOf("query", "postgres")).length);
    expect(result.suites[2]?.passed).toBe((await casesOf("mutation", "postgres")).length);
    expect(stdout).toMatch(/\n\| all +\| +\d+ \| +0 \| +0 \| +[\d.]+ \| +\|\nresults: database-check.json\n$/);
    const files = await Promise.all(
      ["report.xml", "database-check.json"].map((name) => readFile(join(folder, name), "utf8")),
    );
    const { port } = new URL(url);
    for (const text of files) expect(text).not.toContain(`:${port}`);
    expect(files[0]).toContain('<testsuite name="events" tests="2" failures="0" skipped="0"');
    expect(await query(url, "select datname from pg_database where datname like 'engine_check%'")).toEqual([]);
  }, 240_000);

  it("A user who may not create databases checks in an empty one, and a filled one is refused", async () => {
    const server = postgresUrl();
    await query(server, "create role check_owner login password 'a secret'");
    await query(server, "create database check_own owner check_owner");
    const url = new URL(server);
    Object.assign(url, { username: "check_owner", password: "a secret", pathname: "/check_own" });
    try {
      const passed = await check("--url", url.href, "--only", "names", "nesting/32 levels");
      expect([passed.code, passed.stderr]).toEqual([0, ""]);
      expect((await report()).suites.map(({ name, passed: count }) => [name, count])).toEqual([
        ["names", 5],
        ["nesting", 1],
      ]);
      const left =
        "select relname from pg_class where relnamespace::regnamespace::text in ('public', 'engine_catalog')";
      expect(await query(url.href, left)).toEqual([]);
      for (const [create, name] of [
        ["create table orders ()", "orders"],
        ["drop table orders; create type mood as enum ('glad')", "mood"],
        ["drop type mood; create function one() returns int return 1", "one()"],
      ] as const) {
        await query(url.href, create);
        const refused = await check("--url", url.href);
        expect(refused).toMatchObject({ code: 1, stdout: "" });
        expect(refused.stderr).toBe(
          `error: the user may not create databases, and the database of the URL is not empty: it has ${name}\n`,
        );
      }
    } finally {
      await query(server, "drop database check_own with (force)");
      await query(server, "drop role check_owner");
    }
  }, 120_000);
});

/** A database of a user in which some statements fail, as on servers that only resemble PostgreSQL. */
const lackingFeatures = `
  create schema lacking;
  create function lacking.refuse() returns event_trigger language plpgsql as $$
  begin
    if tg_tag <> 'CREATE VIEW' or current_query() like '%engine_metadata%' then
      raise exception 'not supported here: %', lower(tg_tag) using errcode = '0A000';
    end if;
  end $$;
  alter extension plpgsql add function lacking.refuse();
  create event trigger lacks on ddl_command_start
    when tag in ('CREATE FUNCTION', 'CREATE TRIGGER', 'CREATE VIEW', 'DROP SCHEMA') execute function lacking.refuse()`;

describe("engine database check on a server that resembles PostgreSQL", () => {
  it("Each suite reports the errors of the server, and the others go on", async () => {
    const server = postgresUrl();
    await query(server, "create role check_peer login password 'a secret'");
    await query(server, "create database check_peer owner check_peer");
    try {
      const own = new URL(server);
      own.pathname = "/check_peer";
      await query(own.href, lackingFeatures);
      Object.assign(own, { username: "check_peer", password: "a secret" });
      const only = ["metadata", "query/by-key", "query/function", "names", "events"];
      const { code, stdout, stderr } = await check("--url", own.href, "--only", ...only);
      expect(code).toBe(1);
      expect(stderr).toContain("warning: the tables of the check were not removed: not supported here: drop schema\n");
      const { suites } = await report();
      expect(suites.map(({ name, passed, failed: broken }) => [name, passed, broken])).toEqual([
        ["metadata", 0, 1],
        ["query", 1, 2],
        ["names", 5, 0],
        ["events", 0, 3],
      ]);
      const reasons = suites.flatMap(({ cases }) => cases.flatMap(({ reason }) => reason ?? []));
      expect(reasons[0]).toContain("not supported here: create view");
      expect(reasons[1]).toMatch(/create function .*: not supported here: create function/);
      expect(reasons.at(-1)).toContain("not supported here");
      expect(stdout).toMatch(
        /\n\| metadata \| +0 \| +1 \| +0 \| +[\d.]+ \| tables of the metadata: .*not supported here/,
      );
    } finally {
      await query(server, "drop database check_peer with (force)");
      await query(server, "drop role check_peer");
    }
  }, 60_000);
});

describe("The arguments of engine database check", () => {
  it.each([
    ["no URL", [], /option --url <url>: required/],
    ["another URL", ["--url", "http://sa:secret@db"], /--url: expected postgres:\/\/user/],
    ["no server", ["--url", "mssql://sa:secret@127.0.0.1:1"], /no connection to SQL Server: /],
    ["an unknown suite", ["--url", "postgres://u:secret@127.0.0.1:1/db", "--only", "quer"], /did you mean "?query"?/],
  ])("The command reports the error of %s without the password", async (_, args, message) => {
    const { code, stderr } = await check(...args);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain("secret");
    expect(code).toBe(1);
  });
});

describe("engine database check on SQL Server", () => {
  it("The database of a URL must be empty", async () => {
    const peer = await startTdsPeer((request) =>
      request.kind === "execute" && request.text.includes("sys.objects") ? [named(["name"], [["orders"]])] : [],
    );
    try {
      const { code, stderr } = await check("--url", `mssql://sa:secret@127.0.0.1:${peer.port}/own?encrypt=false`);
      expect(stderr).toContain("is not empty, and the check would drop its contents: it has orders");
      expect(code).toBe(1);
      const sent = peer.requests.map((request) => (request.kind === "execute" ? request.text : request.kind));
      expect(sent).toEqual([expect.stringMatching(/^select top \(1\) name from sys.objects/)]);
    } finally {
      await peer.close();
    }
  }, 60_000);

  it("The golden queries pass in a database that is created and dropped, and failures have the statement", async () => {
    const answers = await answersOfQueries();
    const catalogue = catalogueOfDdl(await readFixture("schema.mssql.sql"));
    const peer = await startTdsPeer((request) => {
      if (request.kind !== "execute") return [];
      if (request.text.includes("serverproperty('Edition')"))
        return [named(["version", "edition"], [["16.0.1", "Developer"]])];
      if (request.text.includes("sys.columns")) return [texts(catalogue)];
      if (request.text.includes("dm_exec_describe_first_result_set")) return [texts(described(request.text))];
      const answer = answers.get(`${request.text} ${JSON.stringify(request.values)}`);
      return [answer ? texts([answer]) : { error: 229, message: "user sa on 127.0.0.1 may not write here" }];
    });
    try {
      const url = `mssql://sa:secret@127.0.0.1:${peer.port}?encrypt=false`;
      const { code, stderr } = await check("--url", url, "--only", "query", "mutation");
      expect(stderr).toMatch(/^error: mutation\//);
      const result = await report();
      expect(code).toBe(1);
      expect(result).toMatchObject({ kind: "mssql", server: { version: "16.0.1", edition: "Developer" } });
      const [queries, mutations] = result.suites;
      expect(queries?.cases.map(({ name, outcome }) => [name, outcome])).toEqual(
        (await casesOf("query", "mssql")).map((name) => [name, "passed"]),
      );
      const insert = mutations?.cases.find(({ name }) => name === "insert");
      expect(insert?.reason).toContain("user <removed> on <removed> may not write here");
      expect(insert?.statement).toContain("insert into [dbo].");
      expect(JSON.stringify(result)).not.toContain("secret");
      const batches = peer.requests.flatMap((request) => (request.kind === "batch" ? [request.text] : []));
      const [, name] = /^create database \[(engine_check_\w+)\]$/.exec(batches[0] ?? "") ?? [];
      expect(batches.at(-1)).toBe(`drop database if exists [${name}]`);
      const resets = batches.filter((text) => text.includes("create table dbo.author"));
      const absent = (await caseNames("mutation")).length - (await casesOf("mutation", "mssql")).length;
      expect(resets).toHaveLength(1 + (await caseNames("mutation")).length - absent);
    } finally {
      await peer.close();
    }
  }, 120_000);
});

function texts(rows: readonly (readonly (string | null)[])[]): TdsAnswer {
  return named(
    (rows[0] ?? []).map(() => ""),
    rows,
  );
}

function named(names: readonly string[], rows: readonly (readonly (string | null)[])[]): TdsAnswer {
  return { columns: names.map((name) => ({ name, type: "nvarchar" as const })), rows };
}

/** Returns the server's description of a native query or a type, without running it. */
function described(batch: string): readonly (readonly (string | null)[])[] {
  const type = /cast\(null as (\w+(?:\(\w+\))?)\) as c/.exec(batch)?.[1];
  if (type !== undefined) return [["c", type, null]];
  const columns = { id: "int", maker: "nvarchar(max)", ratings: "nvarchar(max)" };
  return Object.entries(columns).map(([name, given]) => [name, given, null]);
}

/** Returns the responses of a server to the queries, by statement and values. */
async function answersOfQueries(): Promise<ReadonlyMap<string, readonly string[]>> {
  const names = await casesOf("query", "mssql");
  const entries = names.map(async (name): Promise<[string, readonly string[]]> => {
    const goldenCase = await readCase("query", name, "mssql");
    const [statement] = planOnSqlServer("query", goldenCase);
    if (!statement) throw new Error(`${name} has no statement`);
    const input = { variables: goldenCase.variables ?? {}, session: new Map(Object.entries(goldenCase.session)) };
    const members = Object.entries((await readResult(goldenCase)) as Readonly<Record<string, unknown>>);
    // Fields such as `__typename` have no column.
    const columns = members.flatMap(([, value]) => (value === "query_root" ? [] : [JSON.stringify(value)]));
    return [`${statement.text} ${JSON.stringify(bind(statement.slots, input))}`, columns];
  });
  return new Map(await Promise.all(entries));
}
