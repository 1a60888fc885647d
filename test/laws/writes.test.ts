/**
 * The law of writes: for all tables, rows, permissions and writes, the database contents afterwards, the result and the
 * kind of error equal those of applying the rules to all rows in plain TypeScript. Every request runs in two databases,
 * once in each manner (`write-text.ts`), so that single statements without a transaction block and transactions of many
 * statements obey the same law. Worlds alternate between cached and fresh plans, and between prepared and unprepared
 * statements. The seed is printed; `LAWS_SEED` and `LAWS_WORLDS` set the seed and the number of worlds, `LAWS_WRITES`
 * the number of requests for each of them. With `LAWS_WORLDS`, the test prints how many requests it has compared, and how
 * many of them have changed rows, write related rows, find existing rows or read changes. `LAWS_PART=existing` or
 * `related` mostly generates requests with this part.
 */
import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EngineError } from "../../runtime/values/errors.ts";
import { type Mode, TestEngine } from "../support/compiled.ts";
import { createDatabase, query as runSql, type TestDatabase } from "../support/database.ts";
import { type Choices, chosen } from "./choices.ts";
import { keyOf, type Value } from "./column-types.ts";
import type { World } from "./model.ts";
import { type Answer, writeNaively } from "./naive-write.ts";
import type { RequestText } from "./query-text.ts";
import { randomWorld } from "./random-world.ts";
import { randomWriter, randomWrites } from "./random-write.ts";
import { createWorld, writerRoles, writerTables } from "./world-in-database.ts";
import type { RelatedWrite, Returning, Write, Writer } from "./write.ts";
import { type Manner, manners, writeText } from "./write-text.ts";

const number = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);
const seed = number("LAWS_SEED", Math.floor(Math.random() * 2 ** 31));
const worlds = number("LAWS_WORLDS", 100);
const writesPerWorld = number("LAWS_WRITES", 50);

interface Bench {
  readonly manner: Manner;
  readonly database: TestDatabase;
  /** Reads the stored rows. */
  readonly reader: pg.Client;
  /** One engine per mode; worlds alternate between them. */
  readonly engines: readonly TestEngine[];
}

/** Writes are never batched. */
const modes: readonly Mode[] = [true, false].flatMap((keepsPlans) =>
  [true, false].map((prepares) => ({ keepsPlans, prepares, batches: true, readsBytes: true })),
);

function engineOf({ engines }: Bench, world: number): TestEngine {
  const engine = engines[world % engines.length];
  if (!engine) throw new Error("a bench has engines");
  return engine;
}

let benches: readonly Bench[];

beforeAll(async () => {
  benches = await Promise.all(
    manners.map(async (manner): Promise<Bench> => {
      const database = await createDatabase(`writes_${manner}`);
      await runSql(database.url, `alter database "${database.name}" set timezone to 'UTC'`);
      const reader = new pg.Client({ connectionString: database.url });
      await reader.connect();
      return { manner, database, reader, engines: modes.map((mode) => new TestEngine(database.url, undefined, mode)) };
    }),
  );
});

afterAll(async () => {
  for (const { engines, reader, database } of benches) {
    for (const engine of engines) await engine.close();
    await reader.end();
    await database.drop();
  }
});

const counts = { requests: 0, changes: 0, related: 0, connected: 0, failures: new Set<string>() };
/** Requests by a part of their text. */
const parts = { _related: 0, return_existing: 0, changes: 0 };

describe("Writes", () => {
  it(`Writes have the same effects as a naive evaluator (LAWS_SEED=${seed})`, { timeout: 3_600_000 }, async () => {
    for (let world = 0; world < worlds; world++) await checkWorld(world);
    if (process.env.LAWS_WORLDS)
      process.stdout.write(`${JSON.stringify({ ...counts, failures: [...counts.failures], parts })}\n`);
    expect(counts.requests).toBeGreaterThanOrEqual(worlds * writesPerWorld);
    // The law is vacuous if no row is written or no write is refused.
    expect(counts.changes / counts.requests / manners.length).toBeGreaterThan(0.2);
    if (worlds >= 20 && !wanted) {
      expect(counts.related).toBeGreaterThan(0);
      expect(counts.connected / counts.requests / manners.length).toBeGreaterThan(0.05);
      const failures = ["constraint-violation", "permission-error", "not-supported"];
      expect([...counts.failures]).toEqual(expect.arrayContaining(failures));
    }
  });
});

async function checkWorld(index: number): Promise<void> {
  const example = chosen((choices) => randomWriter(choices, randomWorld(choices)));
  const [initial] = fc.sample(example, { seed: seed + index, numRuns: 1 });
  if (!initial) throw new Error("no sample");
  for (const bench of benches) {
    const { database } = bench;
    const engine = engineOf(bench, index);
    await runSql(database.url, createWorld(initial.world));
    expect((await engine.track(writerTables(initial), writerRoles(initial))).inconsistencies).toEqual([]);
  }
  let { world } = initial;
  for (let i = 0; i < writesPerWorld; i++) {
    const requests = chosen((choices) => randomRequest(choices, { ...initial, world }));
    const [request] = fc.sample(requests, { seed: seed + index * writesPerWorld + i, numRuns: 1 });
    if (!request) throw new Error("no sample");
    counts.requests++;
    const reportFor = (manner: Manner): string => report(initial, world, request, { index, manner });
    const after: World[] = [];
    for (const bench of benches)
      after.push(await checkRequest(bench, engineOf(bench, index), request, () => reportFor(bench.manner)));
    world = after[0] ?? world;
  }
}

interface Request {
  readonly writer: Writer;
  readonly writes: readonly Write[];
  readonly texts: Readonly<Record<Manner, RequestText>>;
}

function randomRequest(choices: Choices, initial: Writer): Request {
  const admin: Writer = { ...initial, role: "admin", select: undefined, rules: undefined };
  const writer = choices.chance(15) ? admin : initial;
  const writes = oftenDone(choices, writer);
  return {
    writer,
    writes,
    texts: { alone: writeText(choices, writes, "alone"), together: writeText(choices, writes, "together") },
  };
}

/**
 * Returns writes. Of those that fail, only some are kept, because most random writes violate a constraint or a check.
 * Many connect existing rows: few random writes do.
 */
function oftenDone(choices: Choices, writer: Writer): readonly Write[] {
  const connects = wanted !== undefined || choices.chance(30);
  const isChosen = wanted ?? isConnecting;
  for (let attempt = 0; attempt < (wanted ? 150 : connects ? 40 : 4); attempt++) {
    const writes = randomWrites(choices, writer);
    if (connects && !writes.some(isChosen)) continue;
    if (writeNaively(writer, writes).kind === "done" || choices.chance(connects ? 5 : 20)) return writes;
  }
  return randomWrites(choices, writer);
}

/** Checks one request. @returns the world afterwards */
async function checkRequest(
  { manner, reader }: Bench,
  engine: TestEngine,
  request: Request,
  reportOf: () => string,
): Promise<World> {
  const { writer, texts } = request;
  const writes = manner === "alone" ? request.writes.map(plain) : request.writes;
  if (writes.length === 0) return writer.world;
  const expected = writeNaively(writer, writes);
  const session = { ...writer.session, "x-engine-role": writer.role };
  const { query, variables } = texts[manner];
  const written = query + JSON.stringify(variables);
  for (const part of ["_related", "return_existing", "changes"] as const) if (written.includes(part)) parts[part]++;
  const found = await engine.ask(writer.role, query, session, variables).catch(engineError);
  const after = expected.kind === "done" ? expected.world : writer.world;
  if (expected.kind === "failed") {
    const code = found instanceof EngineError ? found.code : "none";
    expect([...expected.codes], `${describeError(found)}\n${reportOf()}`).toContain(code);
    counts.failures.add(code);
  } else {
    expect(found, `${describeError(found)}\n${reportOf()}`).not.toBeInstanceOf(EngineError);
    const answers = writes.map((write, i) => normalized((found as Record<string, Answer>)[`w${i}`], write));
    expect(answers, reportOf()).toEqual(writes.map((write, i) => normalized(expected.answers[i], write)));
    if (keyOf(textsOfRows(after)) !== keyOf(textsOfRows(writer.world))) {
      counts.changes++;
      if (writes.some(isConnecting)) counts.connected++;
      const alone = writeNaively(writer, writes.map(withoutRelated));
      if (alone.kind === "failed" || keyOf(textsOfRows(alone.world)) !== keyOf(textsOfRows(after))) counts.related++;
    }
  }
  expect(await storedRows(reader, after), reportOf()).toEqual(textsOfRows(after));
  return after;
}

const findsExisting = (write: Write): boolean => "conflict" in write && write.conflict?.returned === true;

const writesRelated = (write: Write): boolean =>
  write.kind === "update_many"
    ? write.updates.some(({ related = [] }) => related.length > 0)
    : isConnecting(write) || ("related" in write && (write.related ?? []).length > 0);

/** The writes that most requests contain; absent: any. */
const wanted = { existing: findsExisting, related: writesRelated }[process.env.LAWS_PART ?? ""];

/** Returns true if a write connects existing rows with inserted or updated rows. */
function isConnecting(write: Write): boolean {
  if ("rows" in write) return write.rows.some(({ connected }) => connected);
  if (write.kind === "update_many") return write.updates.some(connectsRelated);
  return "related" in write && connectsRelated(write);
}

const connectsRelated = ({ related = [] }: { readonly related?: readonly RelatedWrite[] }): boolean =>
  related.some(({ connect, updates = [] }) => connect !== undefined || updates.some(connectsRelated));

/** Removes the writes of related rows. */
function withoutRelated(write: Write): Write {
  if (write.kind !== "update_many") return { ...write, related: [] } as Write;
  return { ...write, updates: write.updates.map((update) => ({ ...update, related: [] })) };
}

/** Removes the selections that need a separate statement. */
function plain(write: Write): Write {
  const { returning } = write;
  return returning ? ({ ...write, returning: { ...returning, related: [], changes: false } } as Write) : write;
}

function engineError(error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  throw error;
}

function describeError(found: unknown): string {
  if (!(found instanceof EngineError)) return JSON.stringify(found);
  return `${found.code} at ${found.path}: ${found.message} ${JSON.stringify(found.internal)}`;
}

interface Response {
  readonly affected_rows: number;
  readonly returning?: readonly Value[];
  readonly changes?: readonly Value[];
}

/** Sorts rows and members of objects, whose order is unspecified. */
function normalized(answer: Answer, write: Write): unknown {
  const { returning } = write;
  const rows = (list: unknown): unknown => (list as readonly Value[]).map((row) => rowText(row, returning)).sort();
  const response = (given: unknown): unknown => {
    const { affected_rows, returning: list, changes } = given as Response;
    return {
      affected_rows,
      ...(list && { returning: rows(list) }),
      ...(changes && { changes: changes.map(keyOf).sort() }),
    };
  };
  switch (write.kind) {
    case "insert":
    case "update":
    case "delete":
      return response(answer);
    case "update_many":
      return (answer as readonly unknown[]).map(response);
    default:
      return answer === null ? null : rowText(answer as Value, returning);
  }
}

function rowText(row: Value, returning: Returning | undefined): string {
  const members: Record<string, Value> = { ...(row as Record<string, Value>) };
  for (const { relationship } of returning?.related ?? []) {
    const list = members[relationship.name];
    if (Array.isArray(list)) members[relationship.name] = list.map(keyOf).sort();
  }
  return keyOf(members);
}

async function storedRows(reader: pg.Client, { tables }: World): Promise<readonly Value[]> {
  const columns = [...tables.keys()].map((name, i) => `(select coalesce(json_agg(t), '[]') from "${name}" t) as t${i}`);
  const {
    rows: [row = {}],
  } = await reader.query(`select ${columns.join(", ")}`);
  return Object.values(row).map((list) => (list as Value[]).map(keyOf).sort());
}

function textsOfRows({ tables, rows }: World): readonly Value[] {
  return [...tables.keys()].map((name) => (rows.get(name) ?? []).map(keyOf).sort());
}

/** Describes a failure with everything needed to reproduce it manually. */
function report(
  initial: Writer,
  world: World,
  { writer, texts }: Request,
  { index, manner }: { readonly index: number; readonly manner: Manner },
): string {
  return [
    `world ${index} of LAWS_SEED=${seed}, ${manner}`,
    createWorld(world),
    JSON.stringify(writerTables(initial)),
    JSON.stringify(writerRoles(initial)),
    JSON.stringify(writer.session),
    `${writer.role}: ${texts[manner].query}`,
    JSON.stringify(texts[manner].variables),
  ].join("\n");
}
