/**
 * The law of queries: for all tables, rows, permissions and queries, the result equals that of reading all rows and
 * applying the rules in plain TypeScript. The seed is printed; `LAWS_SEED` and `LAWS_WORLDS` set the seed and the
 * number of worlds, `LAWS_QUERIES` the number of queries for each of them. With `LAWS_WORLDS`, the test prints the number
 * of queries, and of those with groups. `LAWS_PART=groups` mostly generates these.
 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Choices, chosen } from "./choices.ts";
import { type LawEngine, startLawEngine } from "./law-engine.ts";
import type { Viewpoint } from "./model.ts";
import { answerNaively, difference } from "./naive-query.ts";
import type { Field } from "./query.ts";
import { type RequestText, writeQuery } from "./query-text.ts";
import { type Reader, randomReader } from "./random-permissions.ts";
import { randomQuery } from "./random-query.ts";
import { randomWorld } from "./random-world.ts";
import { createWorld, readerTables } from "./world-in-database.ts";

const number = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);
const seed = number("LAWS_SEED", Math.floor(Math.random() * 2 ** 31));
const worlds = number("LAWS_WORLDS", 100);
const queriesPerWorld = number("LAWS_QUERIES", 100);
/** Worlds that are tested concurrently, each on its own engine. */
const lanes = 2;

let engines: readonly LawEngine[];

beforeAll(async () => {
  engines = await Promise.all(Array.from({ length: lanes }, () => startLawEngine()));
}, 60_000);

afterAll(async () => {
  await Promise.all(engines.map((engine) => engine.close()));
});

describe("Queries", () => {
  it(`Queries return the same results as a naive evaluator (LAWS_SEED=${seed})`, { timeout: 3_600_000 }, async () => {
    let next = 0;
    const counts = { queries: 0, groups: 0, rows: 0 };
    const lane = async (engine: LawEngine): Promise<void> => {
      for (let world = next++; world < worlds; world = next++) await checkWorld(engine, world, counts);
    };
    await Promise.all(engines.map(lane));
    if (process.env.LAWS_WORLDS) process.stdout.write(`${JSON.stringify(counts)}\n`);
    expect(counts.queries).toBeGreaterThanOrEqual(worlds * queriesPerWorld);
    // The law is vacuous if nothing is visible: most results must contain rows.
    expect(counts.rows / counts.queries).toBeGreaterThan(0.5);
  });
});

interface Counts {
  queries: number;
  /** Queries with groups. */
  groups: number;
  rows: number;
}

const wantsGroups = process.env.LAWS_PART === "groups";

const hasGroups = ({ text }: Pick<Case, "text">): boolean => /_group\(/.test(text.query);

interface Case {
  readonly viewpoint: Viewpoint;
  readonly fields: readonly Field[];
  readonly text: RequestText;
}

async function checkWorld(engine: LawEngine, index: number, counts: Counts): Promise<void> {
  const [reader] = fc.sample(
    chosen((choices) => randomReader(choices, randomWorld(choices))),
    { seed: seed + index, numRuns: 1 },
  );
  if (!reader) throw new Error("no sample");
  await engine.show(reader.viewpoint.world, readerTables(reader), { inherited_roles: reader.inheritedRoles });
  const admin: Viewpoint = { ...reader.viewpoint, role: "admin", select: undefined };
  const cases = chosen((choices: Choices): Case => {
    const viewpoint = choices.chance(15) ? admin : reader.viewpoint;
    const next = (): Case => {
      const fields = randomQuery(choices, viewpoint);
      return { viewpoint, fields, text: writeQuery(choices, fields) };
    };
    let found = next();
    for (let attempt = 0; wantsGroups && attempt < 20 && !hasGroups(found); attempt++) found = next();
    return found;
  });
  const property = fc.asyncProperty(cases, async ({ viewpoint, fields, text }) => {
    const answer = await engine.ask(viewpoint, text.query, text.variables);
    const expected = answerNaively(viewpoint, fields);
    counts.queries++;
    if (hasGroups({ text })) counts.groups++;
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
}

/** Describes a failure with everything needed to reproduce it manually. */
function report(reader: Reader, run: fc.RunDetails<[Case]>, index: number): string {
  const [failed] = run.counterexample ?? [];
  return [
    `world ${index} of LAWS_SEED=${seed}: ${run.errorInstance instanceof Error ? run.errorInstance.message : ""}`,
    `alone: LAWS_SEED=${seed + index} LAWS_WORLDS=1`,
    createWorld(reader.viewpoint.world),
    JSON.stringify({ tables: readerTables(reader), inherited_roles: reader.inheritedRoles }),
    JSON.stringify(reader.viewpoint.session),
    `${failed?.viewpoint.role}: ${failed?.text.query}`,
    JSON.stringify(failed?.text.variables),
  ].join("\n");
}
