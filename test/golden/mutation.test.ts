/**
 * Mutations, in folders like those of queries: the statements that SQL Server is sent one after the other
 * (`mssql.sql`), and what the mutation answers (`result.json`, by PostgreSQL), or the error that it is refused with.
 * Each runs in a database of its own.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { EngineError } from "../../runtime/values/errors.ts";
import { TestEngine } from "../support/compiled.ts";
import { createDatabase, query as runSql } from "../support/database.ts";
import { expectGolden } from "../support/golden.ts";
import { planOnSqlServer, sqlServerFile } from "../support/mssql-golden.ts";
import { problemsOfTsql } from "../support/tsql.ts";
import { caseNames, type GoldenCase, readCase, readFixture } from "./cases.ts";

const outputs: ReadonlySet<string> = new Set(["mssql.sql", "result.json"]);

async function answerOf({ query, role, session, variables }: GoldenCase): Promise<unknown> {
  const database = await createDatabase("mutation_case");
  const engine = new TestEngine(database.url);
  try {
    await runSql(database.url, await readFixture("schema.postgres.sql"));
    await engine.load(parseYaml(await readFixture("metadata.yaml")));
    return await engine.ask(role, query, session, variables);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    // The texts of databases differ.
    return { error: { code: error.code } };
  } finally {
    await engine.close();
    await database.drop();
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
