/**
 * Operations on a source whose shape contains the places of its rows in Citus: the statements (`citus.sql`) and the
 * result (`result.json`). The statements run on PostgreSQL here; `test/integration/citus.test.ts` runs them on Citus.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import {
  answerOf,
  citusCases,
  citusFolder,
  distributedShape,
  distributedTables,
  readCitusFile,
  resetRows,
  runLines,
} from "../support/citus-cases.ts";
import { citusProblems } from "../support/citus-lint.ts";
import { TestEngine } from "../support/compiled.ts";
import { createDatabase, type TestDatabase } from "../support/database.ts";
import { expectGolden } from "../support/golden.ts";
import { prettySql } from "../support/pretty-sql.ts";

const outputs: ReadonlySet<string> = new Set(["citus.sql", "result.json"]);
const shared = ["distribute.sql", "functions.sql", "keys.sql", "metadata.yaml", "rows.sql", "schema.postgres.sql"];

let database: TestDatabase;
let engine: TestEngine;
let single: TestEngine;

beforeAll(async () => {
  database = await createDatabase("citus_cases");
  for (const file of ["schema.postgres.sql", "keys.sql", "functions.sql"]) await runLines(database.url, file);
  engine = new TestEngine(database.url);
  single = new TestEngine(database.url);
  const metadata: unknown = parseYaml(await readCitusFile("metadata.yaml"));
  const { inconsistencies } = await engine.load(metadata, distributedShape);
  expect(inconsistencies).toEqual([]);
  await single.load(metadata);
});

afterAll(async () => {
  await engine.close();
  await single.close();
  await database.drop();
});

interface Metadata {
  readonly sources: readonly { readonly tables: readonly Readonly<Record<string, unknown>>[] }[];
}

/** Returns members of the metadata of a table with objects that Citus cannot serve. */
const refusedOnOrders = ({ computed_fields }: Readonly<Record<string, unknown>>) => ({
  computed_fields: [
    ...(computed_fields as readonly unknown[]),
    { name: "total", definition: { function: "order_total" } },
  ],
  select_permissions: [
    { role: "reader", permission: { columns: "*", filter: { note_of_product: { text: { _eq: "x" } } } } },
  ],
  insert_permissions: [{ role: "writer", permission: { columns: "*", check: { items: { n: { _gt: 0 } } } } }],
  update_permissions: [],
  delete_permissions: [],
  event_triggers: [
    {
      name: "orders",
      definition: { insert: { columns: "*" } },
      webhook: "http://localhost",
      retry_conf: { num_retries: 0, interval_sec: 10, timeout_sec: 60 },
    },
  ],
});

/** Runs a case, and returns its answer and statements. */
async function run(name: string, on: TestEngine) {
  await resetRows(database.url);
  const [alone, together] = [on.sent.length, on.sentInTransactions.length];
  const answer = await answerOf(on, name);
  return { answer, statements: [...on.sent.slice(alone), ...on.sentInTransactions.slice(together)] };
}

describe("Golden operations on Citus", async () => {
  const cases = await citusCases();

  it.each(cases)("The operation produces the golden files, and statements that Citus supports: %s", async (name) => {
    const { answer, statements } = await run(name, engine);
    const problems = await Promise.all(statements.map(({ text }) => citusProblems(text, distributedTables)));
    expect(problems.flat()).toEqual([]);
    const texts = statements.map(({ text, values }) => {
      const lines = values.map((value, i) => `-- $${i + 1}: ${JSON.stringify(value)}\n`);
      return `${lines.join("")}${prettySql(text)};\n`;
    });
    const files = new Map([
      ["citus.sql", texts.join("\n")],
      ["result.json", `${JSON.stringify(answer, null, 2)}\n`],
    ]);
    await expectGolden(join(citusFolder, name), files, { isInput: (path) => !outputs.has(path) });
  });

  it.each(cases.filter((name) => !name.endsWith("-refused")))(
    "The operation has the same response on a single server: %s",
    async (name) => {
      expect((await run(name, single)).answer).toEqual((await run(name, engine)).answer);
    },
  );

  it("Objects that Citus cannot serve are inconsistent, with the reason", async () => {
    const metadata = parseYaml(await readCitusFile("metadata.yaml")) as Metadata;
    const [source] = metadata.sources;
    if (!source) throw new Error("the metadata has a source");
    const tables = source.tables.map((table) =>
      table.table === "orders" ? { ...table, ...refusedOnOrders(table) } : table,
    );
    const functions = [{ function: "search_orders" }];
    const refused = new TestEngine(database.url);
    const sources = [{ ...source, tables, functions }];
    const { inconsistencies } = await refused.load({ ...metadata, sources }, distributedShape);
    await refused.close();
    expect(inconsistencies.map(({ reason }) => reason.replace(/^Inconsistent object: /, "")).sort()).toEqual([
      expect.stringContaining("Event triggers are not supported on distributed tables of Citus"),
      expect.stringContaining("it is written in SQL and reads distributed tables"),
      expect.stringContaining('the function "order_total" reads distributed tables or views'),
      expect.stringContaining(
        'the condition on relationship "note_of_product" to "notes" cannot be evaluated by Citus',
      ),
      expect.stringContaining('the condition on relationship "items" to "items" is evaluated on written rows'),
    ]);
  });

  it("Each golden operation has a folder, with only shared files beside them", async () => {
    expect((await readdir(citusFolder)).sort()).toEqual([...cases, ...shared].sort());
  });

  it("Statements for a single server break the rules of Citus", async () => {
    const found = new Set<string>();
    for (const name of ["update-by-key", "update-with-relationships", "array-of-reference"]) {
      const { statements } = await run(name, single);
      for (const { text } of statements) {
        for (const problem of await citusProblems(text, distributedTables)) found.add(problem);
      }
    }
    expect([...found].sort()).toEqual([
      "RETURNING calls a function",
      "a statement that writes sets the session variables",
      "a sub-select reads a distributed table for each row of other rows",
      "a whole row is cast",
    ]);
  });
});
