/**
 * The law of joins: for all relationships between two databases and a remote server, the result equals that of reading
 * all rows and joining them in plain TypeScript. The seed is printed; `LAWS_SEED` and `LAWS_JOIN_WORLDS` set the seed
 * and the number of worlds, `LAWS_QUERIES` the number of queries for each of them. The whole law:
 * `LAWS_JOIN_WORLDS=100`.
 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Choices, chosen } from "./choices.ts";
import { type JoinedEngine, metadataOf, startJoinedEngine } from "./joined-engine.ts";
import type { Viewpoint } from "./model.ts";
import { answerNaively, difference } from "./naive-query.ts";
import type { Field } from "./query.ts";
import { type RequestText, writeQuery } from "./query-text.ts";
import { type Reader, randomReader } from "./random-permissions.ts";
import { randomQuery } from "./random-query.ts";
import { randomScatteredWorld } from "./random-world.ts";
import { createWorld } from "./world-in-database.ts";

const number = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);
const seed = number("LAWS_SEED", Math.floor(Math.random() * 2 ** 31));
const worlds = number("LAWS_JOIN_WORLDS", 3);
const queriesPerWorld = number("LAWS_QUERIES", 100);
/** Maximum length of a chain of relationships. */
const depth = 3;

let engine: JoinedEngine;

beforeAll(async () => {
  engine = await startJoinedEngine();
}, 60_000);

afterAll(() => engine?.close());

describe("Joins between sources", () => {
  it(`Joins return the same results as a naive evaluator (LAWS_SEED=${seed})`, { timeout: 3_600_000 }, async () => {
    const counts = { queries: 0, joins: 0 };
    for (let world = 0; world < worlds; world++) await checkWorld(world, counts);
    expect(counts.queries).toBeGreaterThanOrEqual(worlds * queriesPerWorld);
    // The law is vacuous if nothing is joined.
    expect(counts.joins / counts.queries).toBeGreaterThan(0.3);
  });
});

interface Counts {
  queries: number;
  /** Number of queries that follow a relationship to another place. */
  joins: number;
}

interface Case {
  readonly viewpoint: Viewpoint;
  readonly fields: readonly Field[];
  readonly text: RequestText;
}

async function checkWorld(index: number, counts: Counts): Promise<void> {
  const [reader] = fc.sample(
    chosen((choices) => randomReader(choices, randomScatteredWorld(choices))),
    { seed: seed + index, numRuns: 1 },
  );
  if (!reader) throw new Error("no sample");
  await engine.show(reader).catch((error: unknown) => {
    throw new Error(`${String(error)}\n${describeWorld(reader, index)}`);
  });
  const admin: Viewpoint = { ...reader.viewpoint, role: "admin", select: undefined };
  const cases = chosen((choices: Choices): Case => {
    const viewpoint = choices.chance(15) ? admin : reader.viewpoint;
    const fields = randomQuery(choices, viewpoint, depth);
    return { viewpoint, fields, text: writeQuery(choices, fields) };
  });
  const property = fc.asyncProperty(cases, async ({ viewpoint, fields, text }) => {
    const answer = await engine.ask(viewpoint, text.query, text.variables);
    const expected = answerNaively(viewpoint, fields);
    counts.queries++;
    if (text.query.includes("away_")) counts.joins++;
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
    run.errorInstance instanceof Error ? run.errorInstance.message : "",
    describeWorld(reader, index),
    JSON.stringify(reader.viewpoint.session),
    `${failed?.viewpoint.role}: ${failed?.text.query}`,
    JSON.stringify(failed?.text.variables),
  ].join("\n");
}

function describeWorld(reader: Reader, index: number): string {
  const { world } = reader.viewpoint;
  const served = [...world.tables.values()].filter(({ place }) => place === "server");
  return [
    `world ${index} of LAWS_SEED=${seed}; alone: LAWS_SEED=${seed + index} LAWS_JOIN_WORLDS=1`,
    createWorld(world, "default"),
    createWorld(world, "other"),
    ...served.map(({ name }) => `${name}: ${JSON.stringify(world.rows.get(name))}`),
    JSON.stringify(metadataOf(reader, 0)),
  ].join("\n");
}
