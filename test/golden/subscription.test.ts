/**
 * Subscriptions, in folders like those of queries: the batched statement with the values of a single subscription
 * (`postgres.sql`, `mssql.sql`), and the rows that PostgreSQL returns for it (`result.json`): the result and the cursor of a
 * stream.
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
  const config = { text, rowMode: "array" as const, ...(values && { values: [...values] }) };
  return (await client.query<(string | null)[]>(config)).rows;
}

/** Returns the batched statement with the values of one subscription. */
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

describe("Golden subscriptions", async () => {
  const cases = await caseNames("subscription");

  it.each(cases)("The subscription produces the golden files: %s", async (name) => {
    const goldenCase = await readCase("subscription", name, "postgres");
    const own = multiplexed(planCase(library.role(goldenCase.role), "subscription", goldenCase), goldenCase);
    await expect(parse(own.text)).resolves.toHaveProperty("stmts.length", 1);
    const [[number, ...row] = []] = await rowsOf(own.text, own.values);
    expect(number).toBe("1");
    const sqlServerCase = await readCase("subscription", name, "mssql");
    const sqlServer = multiplexed(
      planCase(sqlServerLibrary.role(goldenCase.role), "subscription", sqlServerCase),
      sqlServerCase,
    );
    expect(problemsOfTsql(sqlServer.text)).toEqual([]);
    const [data, ...cursor] = row;
    const files = new Map([
      ["postgres.sql", sqlFile(own, "$")],
      ["mssql.sql", sqlFile(sqlServer, "@p")],
      [
        "result.json",
        `${JSON.stringify({ data: JSON.parse(data ?? "null"), ...(cursor.length > 0 && { place: cursor[0] }) }, null, 2)}\n`,
      ],
    ]);
    await expectGolden(goldenCase.folder, files, { isInput: (path) => !outputs.has(path) });
  });

  it("Each golden subscription has a folder", async () => {
    expect((await readdir(join(import.meta.dirname, "subscription"))).sort()).toEqual(cases);
  });
});
