/**
 * The law of event triggers: after any sequence of changes on either of two instances, including failing ones, the
 * databases record exactly the events that the metadata defines. `EVENT_STEPS` sets the number of changes, `EVENT_SEED`
 * the seed.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, query, type TestDatabase } from "../support/database.ts";
import {
  type ExportedSource,
  installedTriggers,
  wantedTriggers,
  wronglyRecorded,
} from "../support/installed-triggers.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

const steps = Number(process.env.EVENT_STEPS ?? 40);
const seed = Number(process.env.EVENT_SEED ?? Math.floor(Math.random() * 1_000_000));

let first: TestServer;
let second: TestServer;
let other: TestDatabase;

const environment = () => ({ ENGINE_GRAPHQL_DISABLE_EVENTING: "true", OTHER_URL: other.url });

const tablesOf = (source: "default" | "other"): string =>
  tableNames[source]
    .slice(0, 2)
    .map((name) => `create table ${name} (id integer primary key, a text, b text, c text)`)
    .join("; ");

beforeAll(async () => {
  other = await createDatabase("other");
  first = await startTestServer({ environment: environment() });
  await query(first.databaseUrl, tablesOf("default"));
  await query(other.url, tablesOf("other"));
  second = await startTestServer({ environment: environment(), on: first });
});

afterAll(async () => {
  await second?.stop();
  await first?.close();
  await other?.drop();
});

interface Call {
  readonly type: string;
  readonly args: unknown;
}

interface Source extends ExportedSource {
  readonly name: string;
}

interface Metadata {
  readonly sources: readonly Source[];
}

function randomOf(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const random = randomOf(seed);
const below = (count: number): number => Math.floor(random() * count);
const oneOf = <T>(list: readonly T[]): T => list[below(list.length)] as T;
const some = <T>(list: readonly T[]): readonly T[] => list.filter(() => random() < 0.5);
const isLucky = (share = 0.5): boolean => random() < share;

/** The names differ between sources, because two sources of one schema cannot have tables of the same name. */
const tableNames = { default: ["note", "letter", "memo", "post"], other: ["film", "book", "song", "play"] };
const columnNames = ["a", "b", "c", "d"];
const sourceNames = ["default", "other"] as const;

const urlOf = (source: string): string => (source === "other" ? other.url : first.databaseUrl);

const sourceOf = (name: string) => ({
  name,
  configuration: {
    connection_info: {
      database_url: { from_env: name === "other" ? "OTHER_URL" : "ENGINE_GRAPHQL_DATABASE_URL" },
    },
  },
});

/** Returns a random call. Many calls fail, which the law covers. */
function anyCall(current: Metadata): Call {
  const source = oneOf(sourceNames);
  const table = oneOf(tableNames[source]);
  const known = current.sources.find(({ name }) => name === source);
  const triggers = known?.tables.flatMap((each) =>
    (each.event_triggers ?? []).map(({ name }) => ({ name, table: each.table })),
  );
  const existing = triggers?.length ? oneOf(triggers) : { name: "none", table: { schema: "public", name: table } };
  const calls: readonly (() => Call)[] = [
    () => ({ type: "pg_track_table", args: { source, table } }),
    () => ({ type: "pg_untrack_table", args: { source, table } }),
    () => ({ type: "pg_create_event_trigger", args: { source, table, name: `t${below(6)}`, ...anyDefinition() } }),
    () => ({ type: "pg_create_event_trigger", args: { source, table, name: `t${below(6)}`, ...anyDefinition() } }),
    () => ({
      type: "pg_create_event_trigger",
      args: { source, table: existing.table, name: existing.name, replace: true, ...anyDefinition() },
    }),
    () => ({ type: "pg_delete_event_trigger", args: { source, name: existing.name } }),
    () => sql(source, `alter table ${table} rename to ${oneOf(tableNames[source])}`),
    () => sql(source, `alter table ${table} rename column ${oneOf(columnNames)} to ${oneOf(columnNames)}`),
    () => sql(source, `alter table ${table} drop column ${oneOf(columnNames)}${isLucky() ? " cascade" : ""}`),
    () => sql(source, `alter table ${table} add column ${oneOf(columnNames)} text`),
    () => sql(source, `alter table ${table} alter column ${oneOf(columnNames)} type varchar(${10 + below(20)})`),
    () => sql(source, `alter table ${table} rename column ${oneOf(columnNames)} to z; select 1 / 0`),
    () => sql(source, `drop table ${table}`),
    () =>
      sql(source, `create table ${table} (id integer primary key, a text, b text); comment on table ${table} is ''`),
    () => ({
      type: "reload_metadata",
      args: { reload_sources: isLucky(), recreate_event_triggers: isLucky() },
    }),
    () => ({ type: "replace_metadata", args: { metadata: withoutSome(current) } }),
    () => ({ type: "pg_drop_source", args: { name: source, cascade: true } }),
    () => ({ type: "pg_add_source", args: sourceOf(source) }),
    () => ({ type: isLucky() ? "bulk" : "bulk_keep_going", args: [anyCall(current), anyCall(current)] }),
  ];
  return oneOf(calls)();
}

function sql(source: string, text: string): Call {
  return { type: "run_sql", args: { source, sql: text, cascade: isLucky(0.7) } };
}

function anyDefinition() {
  const columns = () => (isLucky() ? "*" : some(["a", "b", "c"]));
  const payload = () => (isLucky() ? {} : { payload: some(["id", "a", "b"]) });
  return {
    webhook: "http://127.0.0.1:9/",
    ...(isLucky() && { insert: { columns: "*", ...payload() } }),
    ...(isLucky() && { update: { columns: columns(), ...payload() } }),
    ...(isLucky() && { delete: { columns: "*", ...payload() } }),
    enable_manual: isLucky(),
  };
}

function withoutSome({ sources, ...others }: Metadata): unknown {
  return {
    ...others,
    sources: sources.map((source) => ({
      ...source,
      tables: source.tables.map((each) => ({ ...each, event_triggers: some(each.event_triggers ?? []) })),
    })),
  };
}

/** Sends a call. A bulk operation is sent to the endpoint that accepts all of its operations. */
async function send(server: TestServer, call: Call): Promise<number> {
  const isQuery = JSON.stringify(call).includes('"run_sql"');
  return (await server.post(isQuery ? "/v2/query" : "/v1/metadata", call)).status;
}

async function exported(server: TestServer): Promise<Metadata> {
  return (await server.metadata("export_metadata", {})) as Metadata;
}

async function wrongs(server: TestServer): Promise<readonly string[]> {
  const { sources } = await exported(server);
  const wrong: string[] = [];
  for (const name of sourceNames) {
    const source = sources.find((each) => each.name === name) ?? { name, tables: [] };
    const found = await installedTriggers(urlOf(name));
    const wanted = wantedTriggers(source);
    if (JSON.stringify(found) !== JSON.stringify(wanted)) {
      wrong.push(`${name}: installed ${found.join(", ")}; wanted ${wanted.join(", ")}`);
    }
    wrong.push(...(await wronglyRecorded(urlOf(name), source, tableNames[name])).map((line) => `${name}: ${line}`));
  }
  return wrong;
}

describe("Concurrent changes of sources and triggers", () => {
  it("Dropping a source while a trigger is added to it leaves no recorders behind", async () => {
    const add = {
      type: "pg_create_event_trigger",
      args: { source: "other", table: "film", name: "t1", webhook: "http://127.0.0.1:9/", insert: { columns: "*" } },
    };
    const drop = { type: "pg_drop_source", args: { name: "other", cascade: true } };
    const outcomes = new Set<string>();
    // The order of the two requests depends on scheduling, so the race is repeated.
    for (let round = 0; round < 20 && !outcomes.has("409,200"); round++) {
      await first.metadata("pg_add_source", sourceOf("other"));
      await first.metadata("pg_track_table", { source: "other", table: "film" });
      await exported(second);
      const statuses = await Promise.all([send(second, add), send(first, drop)]);
      outcomes.add(`${statuses}`);
      if (statuses[1] !== 200) await expect.poll(() => send(first, drop), { timeout: 20_000 }).toBe(200);
      expect(await wrongs(first), `${statuses}`).toEqual([]);
    }
  }, 60_000);
});

describe("Table renames by run_sql with event triggers", () => {
  const trigger = { webhook: "http://127.0.0.1:9/", insert: { columns: "*" } };
  const rename = (from: string, to: string) => sql("default", `alter table ${from} rename to ${to}`);

  it("A rename that loses against another instance's change is undone", async () => {
    for (const table of ["note", "letter"]) await first.metadata("pg_track_table", { source: "default", table });
    await first.metadata("pg_create_event_trigger", { source: "default", table: "note", name: "t1", ...trigger });
    await exported(second);
    let name = "note";
    const outcomes = new Set<string>();
    for (let round = 0; round < 20 && outcomes.size < 2; round++) {
      const to = name === "note" ? "memo" : "note";
      const add = { source: "default", table: "letter", name: "t2", replace: round > 0, ...trigger };
      const statuses = await Promise.all([
        send(first, rename(name, to)),
        send(second, { type: "pg_create_event_trigger", args: add }),
      ]);
      outcomes.add(`${statuses}`);
      if (statuses[0] === 200) name = to;
      expect(await wrongs(first), `${statuses}`).toEqual([]);
      const { sources } = await exported(first);
      expect(sources[0]?.tables.map(({ table }) => table.name).sort()).toEqual(["letter", name].sort());
    }
    if (name !== "note") await first.post("/v2/query", rename(name, "note"));
    await first.metadata("pg_delete_event_trigger", { source: "default", name: "t2" });
  }, 60_000);

  it("A rename whose bulk fails leaves no recorder on the renamed table", async () => {
    const bulk = { type: "bulk", args: [rename("note", "memo"), sql("default", "drop table absent")] };
    expect(await send(first, bulk)).toBe(400);
    expect(await installedTriggers(first.databaseUrl)).toEqual([]);
    await query(first.databaseUrl, "alter table memo rename to note");
    await first.metadata("reload_metadata", {});
    expect(await wrongs(first)).toEqual([]);
    for (const table of ["note", "letter"]) {
      await first.metadata("pg_untrack_table", { source: "default", table, cascade: true });
    }
  });
});

describe("Sequences of event trigger changes", () => {
  it(`The databases follow any sequence of changes (EVENT_SEED=${seed})`, {
    timeout: 60_000 + steps * 3_000,
  }, async () => {
    await first.metadata("pg_add_source", sourceOf("other"));
    for (const source of sourceNames) {
      for (const table of tableNames[source].slice(0, 2)) await first.metadata("pg_track_table", { source, table });
    }
    const outcomes = new Map<string, number>();
    const done: string[] = [];
    // Continues as long as necessary: with some seeds, most calls fail.
    const isEnough = () => (outcomes.get("200") ?? 0) > steps / 6;
    for (let step = 0; step < steps || !isEnough(); step++) {
      const servers = isLucky() ? [first, second] : [second, first];
      const count = isLucky(0.2) ? 2 : 1;
      const current = await exported(servers[0] as TestServer);
      const made = servers.slice(0, count).map((server) => ({ server, call: anyCall(current) }));
      done.push(`${step}: ${JSON.stringify(made.map(({ call }) => call))}`);
      const statuses = await Promise.all(made.map(({ server, call }) => send(server, call)));
      for (const status of statuses) outcomes.set(`${status}`, (outcomes.get(`${status}`) ?? 0) + 1);
      // Either server may have applied the later of two concurrent changes.
      const wrong = await Promise.all(made.map(({ server }) => wrongs(server)));
      if (wrong.every((lines) => lines.length > 0)) {
        throw new Error(`EVENT_SEED=${seed}\n${done.slice(-4).join("\n")} (${statuses})\n${wrong.flat().join("\n")}`);
      }
    }
    expect(outcomes.get("500") ?? 0).toBeLessThan(steps);
  });
});
