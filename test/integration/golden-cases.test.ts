/** The runner of `npm run mssql:check`, run on PostgreSQL here; without a server, it reports the error. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { bind } from "../../runtime/model/definitions/parameters.ts";
import { caseNames, casesOf, readCase, readFixture, readResult } from "../golden/cases.ts";
import { type CaseResult, runCases } from "../mssql/run-cases.ts";
import { createDatabase, query } from "../support/database.ts";
import { catalogueOfDdl } from "../support/mssql-ddl.ts";
import { planOnSqlServer } from "../support/mssql-golden.ts";
import { startTdsPeer, type TdsAnswer } from "../support/tds-peer.ts";

const script = join(import.meta.dirname, "../mssql/check.ts");

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function check(...args: readonly string[]): Promise<Outcome> {
  const run = promisify(execFile)(process.execPath, ["--import", "tsx", script, ...args]);
  return run.then(
    (output) => ({ code: 0, ...output }),
    ({ code, stdout, stderr }: Outcome) => ({ code, stdout, stderr }),
  );
}

describe("Golden cases over HTTP", () => {
  it("The golden cases pass on PostgreSQL", async () => {
    const [source, metadata] = [await createDatabase("cases"), await createDatabase("cases_metadata")];
    try {
      const schema = await readFixture("schema.postgres.sql");
      const reported: CaseResult[] = [];
      const results = await runCases(
        {
          dialect: "postgres",
          metadataUrl: metadata.url,
          environment: { ENGINE_GRAPHQL_DATABASE_URL: source.url },
          withLoad: true,
          reset: async () => {
            await query(source.url, `drop schema public cascade; create schema public; ${schema}`);
          },
        },
        (result) => reported.push(result),
      );
      expect(results.filter(({ failure }) => failure !== undefined)).toEqual([]);
      const queries = await casesOf("query", "postgres");
      const load = ["an insert of 5,000 rows", "a list of 20,000 values", "upserts of one row at the same time"];
      expect(results).toHaveLength(queries.length + (await caseNames("mutation")).length + load.length);
      expect(results.slice(-load.length).map(({ name }) => name)).toEqual(load.map((name) => `load/${name}`));
      expect(reported).toEqual(results);
    } finally {
      await source.drop();
      await metadata.drop();
    }
  }, 60_000);
});

describe("The npm run mssql:check command", () => {
  it.each([
    ["no URL", [], "--url is missing"],
    ["an unknown option", ["--server", "x"], "Unknown option '--server'"],
    ["another URL", ["--url", "postgres://db"], "--url has to be mssql://user:password@host:port"],
    ["no server", ["--url", "mssql://sa:secret@127.0.0.1:1"], "no connection to SQL Server at 127.0.0.1:1: "],
  ])("mssql:check reports the error of %s", async (_, args, message) => {
    const { code, stderr } = await check(...args);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain("secret");
    expect(code).toBe(2);
  });

  it("mssql:check accepts only the empty database of its URL", async () => {
    const peer = await startTdsPeer((request) => {
      if (request.kind !== "batch") return [];
      return request.text.includes("sys.objects") ? [texts([["orders"]])] : [texts([["A server"]])];
    });
    try {
      const { code, stderr } = await check("--url", `mssql://sa:secret@127.0.0.1:${peer.port}/own?encrypt=false`);
      expect(stderr).toContain("the database is not empty, and the check would drop what is in it: it has orders");
      expect(code).toBe(2);
      expect(peer.requests.every((request) => request.kind === "batch" && request.text.startsWith("select "))).toBe(
        true,
      );
    } finally {
      await peer.close();
    }
  }, 60_000);

  it("mssql:check creates a database, runs all cases in it and drops it", async () => {
    const answers = await answersOfQueries();
    const catalogue = catalogueOfDdl(await readFixture("schema.mssql.sql"));
    const peer = await startTdsPeer((request) => {
      if (request.kind === "batch")
        return request.text === "select @@version" ? [texts([["A server\nof a test"]])] : [];
      if (request.kind !== "execute") return [];
      if (request.text.includes("sys.columns")) return [texts(catalogue)];
      if (request.text.includes("dm_exec_describe_first_result_set")) return [texts(described(request.text))];
      const answer = answers.get(`${request.text} ${JSON.stringify(request.values)}`);
      return [answer ? texts([answer]) : { error: 229, message: "nobody may write here" }];
    });
    try {
      const { code, stdout, stderr } = await check("--url", `mssql://sa:secret@127.0.0.1:${peer.port}?encrypt=false`);
      expect(stderr).toBe("");
      expect(stdout).toMatch(/^Checking on A server, in database engine_check_\w+\n/);
      expect(stdout).not.toMatch(/^FAILED {2}query/m);
      const passed = [...stdout.matchAll(/^passed {2}query\/(.*)$/gm)].map(([, name]) => name);
      expect(passed).toEqual(await casesOf("query", "mssql"));
      expect(stdout).toContain("FAILED  mutation/insert\n");
      expect(code).toBe(1);
      const batches = peer.requests.flatMap((request) => (request.kind === "batch" ? [request.text] : []));
      const [, name] = /in database (\w+)/.exec(stdout) ?? [];
      expect(batches.slice(0, 4)).toEqual([
        `create database [${name}]`,
        "select @@version",
        "select name from sys.objects where type in ('U', 'V', 'P', 'FN', 'IF', 'TF') and is_ms_shipped = 0",
        "drop table if exists dbo.edition, dbo.friend, dbo.prize, dbo.review, dbo.book, dbo.shelf, dbo.author",
      ]);
      expect(batches.at(-1)).toBe(`drop database if exists [${name}]`);
      const resets = batches.filter((text) => text.includes("create table dbo.author"));
      expect(resets).toHaveLength(1 + (await caseNames("mutation")).length + 5);
      const insert = stdout.slice(stdout.indexOf("FAILED  mutation/insert\n"));
      expect(insert).toContain("nobody may write here");
      expect(insert).toContain("-- @p1: ");
      expect(insert).toContain("insert into [dbo].");
    } finally {
      await peer.close();
    }
  }, 60_000);
});

function texts(rows: readonly (readonly (string | null)[])[]): TdsAnswer {
  const columns = (rows[0] ?? []).map(() => ({ name: "", type: "nvarchar" as const }));
  return { columns, rows };
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
    if (!statement) throw new Error(`${name} asks nothing`);
    const input = { variables: goldenCase.variables ?? {}, session: new Map(Object.entries(goldenCase.session)) };
    const members = Object.entries((await readResult(goldenCase)) as Readonly<Record<string, unknown>>);
    // Fields such as `__typename` have no column.
    const columns = members.flatMap(([, value]) => (value === "query_root" ? [] : [JSON.stringify(value)]));
    return [`${statement.text} ${JSON.stringify(bind(statement.slots, input))}`, columns];
  });
  return new Map(await Promise.all(entries));
}
