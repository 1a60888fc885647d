/**
 * Mutations, in folders like those of queries: the statements sent to SQL Server in order (`mssql.sql`), and the result on
 * PostgreSQL, or the error (`result.json`). Each mutation runs on the tables as `schema.postgres.sql` creates them.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { EngineError } from "../../runtime/values/errors.ts";
import { TestEngine } from "../support/compiled.ts";
import { createDatabase, query as runSql, type TestDatabase } from "../support/database.ts";
import { expectGolden } from "../support/golden.ts";
import { planOnSqlServer, sqlServerFile } from "../support/mssql-golden.ts";
import { problemsOfTsql } from "../support/tsql.ts";
import { caseNames, type GoldenCase, readCase, readFixture } from "./cases.ts";

const outputs: ReadonlySet<string> = new Set(["mssql.sql", "result.json"]);

let database: TestDatabase;
let engine: TestEngine;
let fixture: string;

const reset = () => runSql(database.url, `drop schema public cascade; create schema public; ${fixture}`);

beforeAll(async () => {
  database = await createDatabase("mutation_cases");
  fixture = await readFixture("schema.postgres.sql");
  await reset();
  engine = new TestEngine(database.url);
  await engine.load(parseYaml(await readFixture("metadata.yaml")));
});

afterAll(async () => {
  await engine.close();
  await database.drop();
});

async function answerOf({ query, role, session, variables }: GoldenCase): Promise<unknown> {
  await reset();
  try {
    return await engine.ask(role, query, session, variables);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    // Databases have different error messages.
    return { error: { code: error.code } };
  }
}

describe("Golden mutations", async () => {
  const cases = await caseNames("mutation");

  it.each(cases)("The mutation produces the golden files: %s", async (name) => {
    const goldenCase = await readCase("mutation", name, "mssql");
    const statements = planOnSqlServer("mutation", goldenCase);
    expect(statements.flatMap(({ text }) => problemsOfTsql(text))).toEqual([]);
    const files = new Map([
      ["mssql.sql", sqlServerFile(statements, goldenCase)],
      ["result.json", `${JSON.stringify(await answerOf(await readCase("mutation", name, "postgres")), null, 2)}\n`],
    ]);
    await expectGolden(goldenCase.folder, files, { isInput: (path) => !outputs.has(path) });
  });

  it("Each golden mutation has a folder", async () => {
    expect((await readdir(join(import.meta.dirname, "mutation"))).sort()).toEqual(cases);
  });
});
