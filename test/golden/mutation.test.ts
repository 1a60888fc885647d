/**
 * Mutations, in folders like those of queries: the statements that SQL Server is sent one after the other
 * (`mssql.sql`), and what the mutation answers (`result.json`, by PostgreSQL), or the error that it is refused with.
 * Each finds the tables as `schema.postgres.sql` makes them.
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
    // The texts of databases differ.
    return { error: { code: error.code } };
  }
}

describe("mutations", async () => {
  const cases = await caseNames("mutation");

  it.each(cases)("%s", async (name) => {
    const asked = await readCase("mutation", name, "mssql");
    const statements = planOnSqlServer("mutation", asked);
    expect(statements.flatMap(({ text }) => problemsOfTsql(text))).toEqual([]);
    const files = new Map([
      ["mssql.sql", sqlServerFile(statements, asked)],
      ["result.json", `${JSON.stringify(await answerOf(await readCase("mutation", name, "postgres")), null, 2)}\n`],
    ]);
    await expectGolden(asked.folder, files, { isInput: (path) => !outputs.has(path) });
  });

  it("have a folder each", async () => {
    expect((await readdir(join(import.meta.dirname, "mutation"))).sort()).toEqual(cases);
  });
});
