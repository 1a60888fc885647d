/**
 * The law of modes: cached and fresh plans, batched and single reads, prepared and unprepared statements, and rows as
 * bytes and as text all return the result of a naive evaluator. Each request is sent several times, the last time concurrently with others. The seed
 * is printed; `LAWS_SEED` and `LAWS_MODE_WORLDS` set the seed and the number of worlds.
 */
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Mode } from "../support/compiled.ts";
import { chosen } from "./choices.ts";
import { type LawEngine, startLawEngine } from "./law-engine.ts";
import type { Viewpoint } from "./model.ts";
import { answerNaively, difference } from "./naive-query.ts";
import type { Field } from "./query.ts";
import { type RequestText, writeQuery } from "./query-text.ts";
import { type Reader, randomReader } from "./random-permissions.ts";
import { randomQuery } from "./random-query.ts";
import { randomWorld } from "./random-world.ts";
import { readerTables } from "./world-in-database.ts";

const seed = Number(process.env.LAWS_SEED ?? Math.floor(Math.random() * 2 ** 31));
const worlds = Number(process.env.LAWS_MODE_WORLDS ?? 3);
const queriesPerWorld = 12;
const togetherPerQuery = 3;

const either = [true, false];
const modes: readonly Mode[] = either.flatMap((keepsPlans) =>
  // Each pair of values of two settings occurs.
  either.flatMap((batches) =>
    either.map((prepares) => ({ keepsPlans, batches, prepares, readsBytes: batches === prepares })),
  ),
);
interface Case {
  readonly viewpoint: Viewpoint;
  readonly fields: readonly Field[];
  readonly text: RequestText;
}

async function check(engine: LawEngine, { viewpoint, fields, text }: Case): Promise<void> {
  const answer = await engine.ask(viewpoint, text.query, text.variables);
  expect(difference(answerNaively(viewpoint, fields), answer), `${text.query} ${JSON.stringify(text.variables)}`).toBe(
    undefined,
  );
}

/** Returns a world and its requests, equal for all modes. */
function worldOf(index: number): { readonly reader: Reader; readonly cases: readonly Case[] } {
  const [reader] = fc.sample(
    chosen((choices) => randomReader(choices, randomWorld(choices))),
    { seed: seed + index, numRuns: 1 },
  );
  if (!reader) throw new Error("no sample");
  const { viewpoint } = reader;
  const cases = fc.sample(
    chosen((choices): Case => {
      const fields = randomQuery(choices, viewpoint);
      return { viewpoint, fields, text: writeQuery(choices, fields) };
    }),
    { seed: seed + index, numRuns: queriesPerWorld },
  );
  return { reader, cases };
}

describe("Modes of execution", () => {
  it.each(modes)(
    `Queries return the same results in every mode: %j (LAWS_SEED=${seed})`,
    { timeout: 300_000 },
    async (mode) => {
      const engine = await startLawEngine(mode);
      onTestFinished(() => engine.close());
      for (let world = 0; world < worlds; world++) {
        const { reader, cases } = worldOf(world);
        await engine.show(reader.viewpoint.world, readerTables(reader), { inherited_roles: reader.inheritedRoles });
        // Only requests that were fast before are batched.
        for (const each of cases) await check(engine, each);
        const together = cases.flatMap((each) => Array.from({ length: togetherPerQuery }, () => each));
        await Promise.all(together.map((each) => check(engine, each)));
      }
    },
  );
});
