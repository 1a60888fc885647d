/**
 * Queries with the SQL that they become and what it answers. A case is a folder: `query.graphql`, `request.json` with
 * the role, session and variables where they are not those of an admin without any, and for each kind of database the
 * statement that ran (`postgres.sql`) beside the answer (`result.json`), which is the same for all of them.
 */
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "pgsql-parser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { type SentStatement, TestEngine } from "../support/compiled.ts";
import { createDatabase, query as runSql, type TestDatabase } from "../support/database.ts";
import { casesBelow, expectGolden } from "../support/golden.ts";
import { prettySql } from "../support/pretty-sql.ts";

const root = join(import.meta.dirname, "query");
const read = (...path: readonly string[]): Promise<string> => readFile(join(root, ...path), "utf8");

/** Input of a case; the output for other kinds of database is theirs to compare. */
const isInput = (path: string): boolean => path !== "postgres.sql" && path !== "result.json";

interface Request {
  readonly role?: string;
  readonly session?: Readonly<Record<string, string>>;
  readonly variables?: Readonly<Record<string, unknown>>;
}

let database: TestDatabase;
let engine: TestEngine;

beforeAll(async () => {
  database = await createDatabase("query_cases");
  await runSql(database.url, await read("schema.postgres.sql"));
  engine = new TestEngine(database.url);
  const { inconsistencies } = await engine.load(parseYaml(await read("metadata.yaml")));
  expect(inconsistencies).toEqual([]);
});

afterAll(async () => {
  await engine.close();
  await database.drop();
});

async function requestOf(name: string): Promise<Request> {
  return existsSync(join(root, name, "request.json")) ? (JSON.parse(await read(name, "request.json")) as Request) : {};
}

/** The statement, behind the values that it ran with. */
function sqlFile({ text, values }: SentStatement): string {
  const lines = values.map((value, i) => `-- $${i + 1}: ${JSON.stringify(value)}\n`);
  return `${lines.join("")}${prettySql(text)};\n`;
}

describe("queries", async () => {
  const cases = await casesBelow(root, "query.graphql");

  it.each(cases)("%s", async (name) => {
    const { role = "admin", session = {}, variables = null } = await requestOf(name);
    const before = engine.sent.length;
    const answer = await engine.ask(
      role,
      await read(name, "query.graphql"),
      { ...session, "x-engine-role": role },
      variables,
    );
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
    await expectGolden(join(root, name), files, { isInput });
  });

  it("have a folder each, with nothing else beside them", async () => {
    const entries = await readdir(root);
    expect(entries.sort()).toEqual([...cases, "metadata.yaml", "schema.postgres.sql"].sort());
  });
});
