/**
 * The law of queries: whatever the tables, rows, permissions and questions are, the answer is what reading all rows and
 * applying the rules in plain TypeScript gives. The seed is printed; `LAWS_SEED` and `LAWS_WORLDS` set it and how many
 * worlds there are, `LAWS_QUERIES` how many queries each of them gets.
 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EngineError } from "../../runtime/support/errors.ts";
import { compileTables, openTestSource, readShape } from "../support/compiled.ts";
import { createDatabase, query as runSql, type TestDatabase } from "../support/database.ts";
import { type Choices, chosen } from "./choices.ts";
import type { Table, Viewpoint } from "./model.ts";
import { answerNaively, difference } from "./naive-query.ts";
import type { Field } from "./query.ts";
import { type RequestText, writeQuery } from "./query-text.ts";
import { randomViewpoint } from "./random-permissions.ts";
import { randomQuery } from "./random-query.ts";
import { randomWorld } from "./random-world.ts";
import { createWorld, selectPermission, trackTable } from "./world-in-database.ts";

const number = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);
const seed = number("LAWS_SEED", Math.floor(Math.random() * 2 ** 31));
const worlds = number("LAWS_WORLDS", 100);
const queriesPerWorld = number("LAWS_QUERIES", 100);
/** Worlds that are looked at at the same time, each in a database of its own. */
const lanes = 2;

let databases: readonly TestDatabase[];

beforeAll(async () => {
  databases = await Promise.all(Array.from({ length: lanes }, () => createDatabase("laws")));
  for (const { name, url } of databases) await runSql(url, `alter database "${name}" set timezone to 'UTC'`);
});

afterAll(async () => {
  await Promise.all(databases.map((database) => database.drop()));
});

describe("queries", () => {
  it(`are answered as a naive evaluator answers them (LAWS_SEED=${seed})`, { timeout: 600_000 }, async () => {
    let next = 0;
    const counts = { queries: 0, rows: 0 };
    const lane = async (database: TestDatabase): Promise<void> => {
      for (let world = next++; world < worlds; world = next++) await checkWorld(database, world, counts);
    };
    await Promise.all(databases.map(lane));
    expect(counts.queries).toBeGreaterThanOrEqual(worlds * queriesPerWorld);
    // The law is empty where nothing is visible: most answers must hold something.
    expect(counts.rows / counts.queries).toBeGreaterThan(0.5);
  });
});

interface Counts {
  queries: number;
  rows: number;
}

interface Case {
  readonly viewpoint: Viewpoint;
  readonly fields: readonly Field[];
  readonly text: RequestText;
}

async function checkWorld(database: TestDatabase, index: number, counts: Counts): Promise<void> {
  const [reader] = fc.sample(
    chosen((choices) => randomViewpoint(choices, randomWorld(choices), "reader")),
    { seed: seed + index, numRuns: 1 },
  );
  if (!reader) throw new Error("no sample");
  await runSql(database.url, createWorld(reader.world));
  const source = openTestSource(database.url);
  try {
    const { ask, analysis } = compileTables(source, await readShape(source), metadataOf(reader));
    expect(analysis.inconsistencies).toEqual([]);
    const admin: Viewpoint = { ...reader, role: "admin", select: undefined };
    const cases = chosen((choices: Choices): Case => {
      const viewpoint = choices.chance(15) ? admin : reader;
      const fields = randomQuery(choices, viewpoint);
      return { viewpoint, fields, text: writeQuery(choices, fields) };
    });
    const property = fc.asyncProperty(cases, async ({ viewpoint, fields, text }) => {
      const session = { "x-engine-role": viewpoint.role, ...viewpoint.session };
      const answer = await ask(viewpoint.role, text.query, session, text.variables).catch(explain);
      const expected = answerNaively(viewpoint, fields);
      counts.queries++;
      if (JSON.stringify(expected).length > 40) counts.rows++;
      const found = difference(expected, answer);
      if (found !== undefined) throw new Error(found);
    });
    await fc.assert(property, {
      seed: seed + index,
      numRuns: queriesPerWorld,
      endOnFailure: process.env.CI !== undefined,
      reporter: (run) => {
        if (run.failed) throw new Error(report(reader, run, index));
      },
    });
  } finally {
    await source.close();
  }
}

function metadataOf({ world, select, role }: Viewpoint): unknown[] {
  return [...world.tables.values()].map((table: Table) => {
    const permission = select?.get(table.name);
    return { ...trackTable(table), select_permissions: permission ? [selectPermission(role, permission)] : [] };
  });
}

function explain(error: unknown): never {
  if (!(error instanceof EngineError)) throw error;
  throw new Error(`${error.code} at ${error.path}: ${error.message} ${JSON.stringify(error.internal)}`);
}

/** All that is needed to see the difference by hand. */
function report(viewpoint: Viewpoint, run: fc.RunDetails<[Case]>, index: number): string {
  const [failed] = run.counterexample ?? [];
  return [
    `world ${index} of LAWS_SEED=${seed}: ${run.errorInstance instanceof Error ? run.errorInstance.message : ""}`,
    `alone: LAWS_SEED=${seed + index} LAWS_WORLDS=1`,
    createWorld(viewpoint.world),
    JSON.stringify(metadataOf(viewpoint)),
    JSON.stringify(viewpoint.session),
    `${failed?.viewpoint.role}: ${failed?.text.query}`,
    JSON.stringify(failed?.text.variables),
  ].join("\n");
}
