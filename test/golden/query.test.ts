/**
 * Queries with their SQL and results. A case is a folder with `query.graphql`; optionally `request.json`: role, session,
 * variables, and the kinds of database that lack the case, with reasons; the statement for each kind of database
 * (`postgres.sql`, `mssql.sql`); and the result, which is the same for all (`result.json`).
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "pgsql-parser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { type SentStatement, TestEngine } from "../support/compiled.ts";
import { createDatabase, query as runSql, type TestDatabase } from "../support/database.ts";
import { expectGolden } from "../support/golden.ts";
import { planOnSqlServer, sqlServerFile, sqlServerLibrary } from "../support/mssql-golden.ts";
import { prettySql } from "../support/pretty-sql.ts";
import { problemsOfTsql } from "../support/tsql.ts";
import { absentCases, caseNames, casesOf, readCase, readFixture } from "./cases.ts";

const outputs: ReadonlySet<string> = new Set(["postgres.sql", "mssql.sql", "result.json"]);

let database: TestDatabase;
let engine: TestEngine;

beforeAll(async () => {
  database = await createDatabase("query_cases");
  await runSql(database.url, await readFixture("schema.postgres.sql"));
  engine = new TestEngine(database.url);
  const { inconsistencies } = await engine.load(parseYaml(await readFixture("metadata.yaml")));
  expect(inconsistencies).toEqual([]);
});

afterAll(async () => {
  await engine.close();
  await database.drop();
});

/** Returns the parameter values and the statement. */
function sqlFile({ text, values }: SentStatement): string {
  const lines = values.map((value, i) => `-- $${i + 1}: ${JSON.stringify(value)}\n`);
  return `${lines.join("")}${prettySql(text)};\n`;
}

/** Returns the single statement for SQL Server, checked against the T-SQL grammar. */
async function mssqlFile(name: string): Promise<string> {
  const goldenCase = await readCase("query", name, "mssql");
  const statements = planOnSqlServer("query", goldenCase);
  expect(statements).toHaveLength(1);
  expect(statements.flatMap(({ text }) => problemsOfTsql(text))).toEqual([]);
  return sqlServerFile(statements, goldenCase);
}

describe("Golden queries", async () => {
  const cases = await caseNames("query");
  const absentOnSqlServer = await absentCases("query", "mssql");

  it.each(await casesOf("query", "postgres"))(
    "The query produces the golden files on both databases: %s",
    async (name) => {
      const { folder, query, role, session, variables } = await readCase("query", name, "postgres");
      const before = engine.sent.length;
      const answer = await engine.ask(role, query, session, variables);
      // One source, one statement.
      const [statement, ...others] = engine.sent.slice(before);
      expect(others).toEqual([]);
      if (!statement) throw new Error("no statement ran");
      const sql = sqlFile(statement);
      await expect(parse(sql)).resolves.toHaveProperty("stmts.length", 1);
      expect(prettySql(statement.text).replaceAll(/\s+/g, "")).toBe(statement.text.replaceAll(/\s+/g, ""));
      const files = new Map([
        ["postgres.sql", sql],
        ["result.json", `${JSON.stringify(answer, null, 2)}\n`],
      ]);
      if (!absentOnSqlServer.has(name)) files.set("mssql.sql", await mssqlFile(name));
      await expectGolden(folder, files, { isInput: (path) => !outputs.has(path) });
    },
  );

  it.each([...(await absentCases("query", "postgres")).keys()])(
    "The query produces the golden files on SQL Server only: %s",
    async (name) => {
      const { folder, role, query, session, variables } = await readCase("query", name, "mssql");
      await expect(engine.ask(role, query, session, variables)).rejects.toThrow(/not found in type/);
      const files = new Map([["mssql.sql", await mssqlFile(name)]]);
      await expectGolden(folder, files, { isInput: (path) => path !== "mssql.sql" });
    },
  );

  it("Each golden query has a folder, with only shared files beside them", async () => {
    const entries = await readdir(join(import.meta.dirname, "query"));
    const shared = ["metadata.yaml", "metadata.mssql.yaml", "schema.postgres.sql", "schema.mssql.sql"];
    expect(entries.sort()).toEqual([...cases, ...shared].sort());
  });

  it("The golden metadata has no inconsistencies on SQL Server", () => {
    expect(sqlServerLibrary.analysis.inconsistencies.map(({ reason }) => reason)).toEqual([]);
  });

  it.each([...absentOnSqlServer.keys()])("The query is refused on SQL Server: %s", async (name) => {
    const goldenCase = await readCase("query", name, "mssql");
    expect(() => planOnSqlServer("query", goldenCase)).toThrow(/not found in type|has no argument named/);
  });
});
