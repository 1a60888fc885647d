/**
 * The laws of explanations, for all tables, rows, permissions and sessions: the truth of a row filter that
 * `explain_access` returns, and the truth of each of its parts, is that of a naive evaluator; and its verdict on an
 * insert, update or delete is what the engine then does.
 * The seed is printed; `LAWS_SEED` and `LAWS_CASES` set the seed and the number of cases of each law.
 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FilterPart } from "../../compiler/access/filter-parts.ts";
import type { Json } from "../../compiler/catalog/model.ts";
import type { Truths } from "../../runtime/control/evaluate-filters.ts";
import { type Choices, chosen } from "./choices.ts";
import { checkWriter, randomCases, type WriteCounts } from "./explained-writes.ts";
import { type LawEngine, startLawEngine } from "./law-engine.ts";
import { type Filter, type Grant, permissionsOf, type Row, type Table, type Viewpoint } from "./model.ts";
import { holds, type Truth } from "./naive-filter.ts";
import { operandsIn, type PartPlace, placeWithin, truthOf } from "./part-truth.ts";
import { type Reader, randomReader } from "./random-permissions.ts";
import { randomWorld } from "./random-world.ts";
import { randomWriter } from "./random-write.ts";
import { readerTables } from "./world-in-database.ts";

const number = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);
const seed = number("LAWS_SEED", Math.floor(Math.random() * 2 ** 31));
const cases = number("LAWS_CASES", 200);

let engine: LawEngine;

beforeAll(async () => {
  engine = await startLawEngine();
}, 60_000);

afterAll(() => engine?.close());

interface Counts {
  rows: number;
  visible: number;
  parts: number;
}

/** Samples worlds until there are enough cases. Returns the number of worlds. */
async function untilEnough<T>(
  sample: (choices: Choices) => T,
  check: (sampled: T) => Promise<void>,
  count: () => number,
): Promise<number> {
  let world = 0;
  for (; count() < cases; world++) {
    const [sampled] = fc.sample(chosen(sample), { seed: seed + world, numRuns: 1 });
    if (sampled === undefined) throw new Error("no sample");
    await check(sampled).catch((error: unknown) => {
      throw new Error(`world ${world}: LAWS_SEED=${seed + world} LAWS_CASES=1`, { cause: error });
    });
  }
  return world;
}

describe("Explanations", () => {
  it(`Explanations of rows and their parts agree with a naive evaluator (LAWS_SEED=${seed})`, {
    timeout: 3_600_000,
  }, async () => {
    const counts: Counts = { rows: 0, visible: 0, parts: 0 };
    const sample = (choices: Choices) => randomReader(choices, randomWorld(choices));
    await untilEnough(
      sample,
      (reader) => checkReader(reader, counts),
      () => counts.rows,
    );
    if (cases < 100) return;
    // The law is vacuous if all rows have the same truth.
    expect(counts.visible / counts.rows).toBeGreaterThan(0.1);
    expect(counts.visible / counts.rows).toBeLessThan(0.9);
    expect(counts.parts).toBeGreaterThan(counts.rows);
    if (process.env.LAWS_CASES) process.stdout.write(`${JSON.stringify(counts)}\n`);
  });

  it(`Verdicts on writes agree with what the engine does (LAWS_SEED=${seed})`, { timeout: 3_600_000 }, async () => {
    const counts: WriteCounts = { decided: 0, allowed: 0, denied: 0, depends: 0, refusedByConstraints: 0 };
    const sample = (choices: Choices) => randomCases(choices, randomWriter(choices, randomWorld(choices)));
    await untilEnough(
      sample,
      (given) => checkWriter(engine, given, counts),
      () => counts.decided,
    );
    if (cases < 100) return;
    expect(counts.allowed / counts.decided).toBeGreaterThan(0.1);
    expect(counts.denied / counts.decided).toBeGreaterThan(0.1);
    expect(counts.depends / counts.decided).toBeLessThan(0.5);
    if (process.env.LAWS_CASES) process.stdout.write(`${JSON.stringify(counts)}\n`);
  });
});

async function checkReader(reader: Reader, counts: Counts): Promise<void> {
  const { viewpoint } = reader;
  const { world, select } = viewpoint;
  await engine.show(world, readerTables(reader), { inherited_roles: reader.inheritedRoles });
  for (const [name, grant] of select ?? []) {
    const table = world.tables.get(name);
    if (!table) throw new Error(`no table ${name}`);
    for (const row of world.rows.get(name) ?? []) await checkRow(viewpoint, { table, row, grant }, counts);
  }
}

interface Place {
  readonly table: Table;
  readonly row: Row;
  readonly grant: Grant;
}

async function checkRow(viewpoint: Viewpoint, { table, row, grant }: Place, counts: Counts): Promise<void> {
  const key = { [table.tie.name]: row[table.tie.name] as Json };
  const { rows, truths } = await engine.filterOf(viewpoint, table.name, key);
  const filters = permissionsOf(grant).map(({ filter }) => filter);
  const naive = (filter: Filter): Truth => holds(viewpoint, table, row, filter, "everything");
  const isVisible = filters.map(naive).includes(true);
  expect(truths.get(rows) === true, JSON.stringify([rows.expression, row])).toBe(isVisible);
  if (filters.length === 1 && filters[0]) expect(truths.get(rows)).toBe(naive(filters[0]));
  counts.rows++;
  if (isVisible) counts.visible++;
  // References lead to filters of other tables.
  const every = [...(viewpoint.select?.values() ?? [])].flatMap(permissionsOf).map(({ filter }) => filter);
  const operands = new Map(every.flatMap((filter) => [...operandsIn(filter)]));
  counts.parts += checkParts(rows, truths, {
    viewpoint,
    operands,
    root: table,
    table,
    rows: [{ row, root: row }],
    isBelow: false,
  });
}

/** Checks the truth of a part and of its own parts. Returns the number of parts. */
function checkParts(part: FilterPart, truths: Truths, place: PartPlace): number {
  const told = JSON.stringify([part.expression, place.rows]);
  expect(truths.get(part) ?? null, told).toBe(truthOf(part, place));
  const within = placeWithin(part, place);
  return part.parts.reduce((sum, each) => sum + checkParts(each, truths, within), 1);
}
