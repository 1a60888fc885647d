/**
 * Subscriptions, in folders like those of queries: the statement that asks for many of them at once, behind its values
 * for one alone (`postgres.sql`, `mssql.sql`), and what PostgreSQL answers to that (`result.json`): the answer, and
 * where a stream goes on.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { parse } from "pgsql-parser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { introspectPostgres } from "../../compiler/dialects/postgres/introspect.ts";
import { bind } from "../../runtime/model/definitions/parameters.ts";
import type { Plan } from "../../runtime/model/planner/plan.ts";
import { compileShape } from "../support/compiled.ts";
import { createDatabase, query as runSql, type TestDatabase } from "../support/database.ts";
import { expectGolden } from "../support/golden.ts";
import { sqlServerLibrary } from "../support/mssql-golden.ts";
import { planCase } from "../support/plan-case.ts";
import { prettySql } from "../support/pretty-sql.ts";
import { problemsOfTsql } from "../support/tsql.ts";
import { caseNames, type GoldenCase, readCase, readFixture } from "./cases.ts";

const outputs: ReadonlySet<string> = new Set(["postgres.sql", "mssql.sql", "result.json"]);

let database: TestDatabase;
let client: pg.Client;
let library: ReturnType<typeof compileShape>;

beforeAll(async () => {
  database = await createDatabase("subscription_cases");
  await runSql(database.url, await readFixture("schema.postgres.sql"));
  const types = { getTypeParser: () => (text: string | Buffer) => String(text) };
  client = new pg.Client({ connectionString: database.url, types });
  await client.connect();
  const { sources, ...others } = parseYaml(await readFixture("metadata.yaml"));
  const [{ tables, ...inSource }] = sources;
  library = compileShape(await introspectPostgres(async (text) => rowsOf(text)), tables, others, inSource);
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

async function rowsOf(text: string, values?: readonly unknown[]): Promise<readonly (readonly (string | null)[])[]> {
  const asked = { text, rowMode: "array" as const, ...(values && { values: [...values] }) };
  return (await client.query<(string | null)[]>(asked)).rows;
}

/** The statement for many, with its values for one. */
function multiplexed({ statements }: Plan, { variables, session }: GoldenCase) {
  const [statement, ...others] = statements;
  expect(others).toEqual([]);
  if (!statement?.multiplexed) throw new Error("no statement for many");
  const { text, slots, values } = statement.multiplexed;
  const set = bind(slots, { variables: variables ?? {}, session: new Map(Object.entries(session)) });
  return { text, values: values([set]) };
}

function sqlFile({ text, values }: ReturnType<typeof multiplexed>, sign: string): string {
  const lines = values.map((value, i) => `-- ${sign}${i + 1}: ${JSON.stringify(value)}\n`);
  return `${lines.join("")}${prettySql(text)};\n`;
}

describe("subscriptions", async () => {
  const cases = await caseNames("subscription");

  it.each(cases)("%s", async (name) => {
    const asked = await readCase("subscription", name, "postgres");
    const own = multiplexed(planCase(library.role(asked.role), "subscription", asked), asked);
    await expect(parse(own.text)).resolves.toHaveProperty("stmts.length", 1);
    const [[number, ...row] = []] = await rowsOf(own.text, own.values);
    expect(number).toBe("1");
    const askedThere = await readCase("subscription", name, "mssql");
    const there = multiplexed(planCase(sqlServerLibrary.role(asked.role), "subscription", askedThere), askedThere);
    expect(problemsOfTsql(there.text)).toEqual([]);
    const [data, ...place] = row;
    const files = new Map([
      ["postgres.sql", sqlFile(own, "$")],
      ["mssql.sql", sqlFile(there, "@p")],
      [
        "result.json",
        `${JSON.stringify({ data: JSON.parse(data ?? "null"), ...(place.length > 0 && { place: place[0] }) }, null, 2)}\n`,
      ],
    ]);
    await expectGolden(asked.folder, files, { isInput: (path) => !outputs.has(path) });
  });

  it("have a folder each", async () => {
    expect((await readdir(join(import.meta.dirname, "subscription"))).sort()).toEqual(cases);
  });
});
