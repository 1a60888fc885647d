/**
 * `npm run bench:live -- [--subscriptions 10000] [--per-connection 1] [--rooms 100] [--changes 200] [--seconds 20]
 * [--only NAME] [--pg-url URL] [--profile FILE.cpuprofile]` measures live queries under load, and the resources that
 * clients leave behind when they vanish. Engine, clients and database run on this machine. Times are measured when the
 * client reads a message; memory and processor time come from the kernel.
 */
import { writeFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { ensureBuilt, runMain, withPostgres } from "../support/shared-checks.ts";
import type { Seen } from "./live/messages.ts";
import {
  Clients,
  type Engine,
  Inspector,
  inspectorPort,
  type ProcessorTime,
  processorSeconds,
  processorTime,
  residentBytes,
} from "./live/processes.ts";

import { args, only, perConnection, port, profileFile, rooms, seconds, subscriptions } from "./live/settings.ts";
import { type Bench, change, megabytes, onServer, prepare, start, websocketUrl } from "./live/setup.ts";
import { vanish } from "./live/vanish.ts";

interface LoadCase {
  readonly name: string;
  readonly distinct: boolean;
  readonly environment: Readonly<Record<string, string>>;
}

const batch = "ENGINE_GRAPHQL_LIVE_QUERIES_MULTIPLEXED_BATCH_SIZE";

const cases: readonly LoadCase[] = [
  { name: "shared", distinct: false, environment: {} },
  { name: "batched", distinct: true, environment: {} },
  { name: "alone", distinct: true, environment: { [batch]: "1" } },
  {
    name: "notified",
    distinct: false,
    environment: {
      ENGINE_GRAPHQL_LIVE_QUERIES_NOTIFY: "default",
      ENGINE_GRAPHQL_LIVE_QUERIES_MULTIPLEXED_REFETCH_INTERVAL: "10",
    },
  },
];

await runMain(async () => {
  await ensureBuilt();
  return withPostgres(args, async (server) => {
    const bench = await prepare(server);
    try {
      for (const each of cases) if (only === undefined || only === each.name) await load(bench, each);
      if (only === undefined || only === "vanish") await vanish(bench);
    } finally {
      await bench.database.end();
      await onServer(server, "drop database if exists bench_live with (force)");
      await onServer(server, "drop database if exists bench_live_metadata with (force)");
    }
    return 0;
  });
});

async function load(bench: Bench, { name, distinct, environment }: LoadCase): Promise<void> {
  console.log(`\n${name}: ${subscriptions} subscriptions, ${distinct ? subscriptions : rooms} sets of variables`);
  const engine = await start(bench, environment);
  const clients = new Clients();
  try {
    const memoryBefore = await residentBytes(engine.pid);
    const opened = await clients.open({
      url: websocketUrl(engine),
      subscriptions,
      perConnection,
      rooms,
      query: distinct ? "distinct" : "shared",
    });
    console.log(`  opened in ${(opened / 1000).toFixed(1)} s`);
    await delay(3000);
    const memory = (await residentBytes(engine.pid)) - memoryBefore;
    console.log(
      `  memory: ${megabytes(memory)}, ${megabytes((memory / subscriptions) * 1000)} for 1,000 subscriptions`,
    );
    const idle = await measured(bench, engine, clients, () => delay(seconds * 500));
    console.log(`  idle:   ${summary(idle)}`);
    if (idle.seen.results > 0) throw new Error("something was sent although nothing had changed");
    const busy = await measured(bench, engine, clients, () => profiled(() => change(bench)));
    console.log(`  busy:   ${summary(busy)}`);
    console.log(`  for a message, beyond idle: ${perMessage(busy, idle)}`);
    console.log(`  delay:  ${delaysOf(busy.seen)}`);
    await verify(bench, clients);
  } finally {
    await clients.end();
    await engine.stop();
  }
}

/** Writes a profile of the engine during the work to the file given by `--profile`. */
async function profiled(work: () => Promise<void>): Promise<void> {
  if (profileFile === undefined) return work();
  const inspector = await Inspector.open(inspectorPort(port));
  await inspector.startProfile();
  await work();
  await writeFile(profileFile, JSON.stringify(await inspector.stopProfile()));
  inspector.close();
}

interface Measured {
  readonly seconds: number;
  readonly engine: ProcessorTime;
  readonly clients: ProcessorTime;
  /** Processor time of the database in seconds. */
  readonly database: number;
  readonly statements: number;
  readonly seen: Seen;
}

async function measured(bench: Bench, engine: Engine, clients: Clients, work: () => Promise<void>): Promise<Measured> {
  clients.measure();
  const before = await usage(bench, engine, clients);
  await work();
  // The last changes are still in transit.
  await delay(2500);
  const after = await usage(bench, engine, clients);
  const seen = await clients.finish();
  return {
    seconds: after.at - before.at,
    engine: between(before.engine, after.engine),
    clients: between(before.clients, after.clients),
    database: after.database - before.database,
    statements: after.statements - before.statements,
    seen,
  };
}

function total({ user, system }: ProcessorTime): number {
  return user + system;
}

function between(before: ProcessorTime, after: ProcessorTime): ProcessorTime {
  return { user: after.user - before.user, system: after.system - before.system };
}

async function usage({ database }: Bench, { pid }: Engine, clients: Clients) {
  const backends = await database.query<{ pid: number }>(
    "select pid from pg_stat_activity where datname = 'bench_live' and pid <> pg_backend_pid()",
  );
  const times = await Promise.all(backends.rows.map((row) => processorSeconds(row.pid)));
  const transactions = await database.query<{ count: string }>(
    "select xact_commit::text as count from pg_stat_database where datname = 'bench_live'",
  );
  return {
    at: performance.now() / 1000,
    engine: await processorTime(pid),
    clients: await processorTime(clients.pid),
    database: times.reduce((sum, time) => sum + time, 0),
    statements: Number(transactions.rows[0]?.count),
  };
}

/**
 * Checks that every subscription has received the last change of every row of its room, with time for a busy machine.
 */
async function verify({ database }: Bench, clients: Clients): Promise<void> {
  const { rows } = await database.query<{ id: number; room: number; change: number }>("select * from reading");
  const isCurrent = ({ room, rows: known }: Seen["states"][number]): boolean =>
    rows.every((row) => row.room !== room || known[String(row.id)] === row.change);
  for (let waited = 0; ; waited++) {
    const { states } = await clients.finish();
    if (states.every(isCurrent)) break;
    if (waited > 60) throw new Error("there are subscriptions that do not see the last change");
    await delay(1000);
  }
  console.log("  every subscription has seen the last change of every row of its room");
}

function summary({ seconds: time, engine, clients, database, statements, seen }: Measured): string {
  const share = (value: number): string => `${((value / time) * 100).toFixed(0)} %`;
  const perThousand = ((total(engine) / time / subscriptions) * 1000 * 100).toFixed(1);
  return (
    `engine ${share(total(engine))} of a core (${perThousand} % for 1,000), clients ${share(total(clients))}, database ${share(database)}, ` +
    `${(statements / time).toFixed(0)} statements/s, ${(seen.results / time).toFixed(0)} messages/s, ` +
    `${megabytes(seen.bytes / time)}/s`
  );
}

/** Returns the processor time per message, which does not depend on the load of the machine. */
function perMessage(busy: Measured, idle: Measured): string {
  const spent = (what: "engine" | "clients"): string => {
    const part = (which: "user" | "system"): string => {
      const beyondIdle = busy[what][which] - (idle[what][which] / idle.seconds) * busy.seconds;
      return ((beyondIdle / busy.seen.results) * 1e6).toFixed(1);
    };
    return `${part("user")} µs and ${part("system")} µs in the kernel`;
  };
  return `engine ${spent("engine")}, clients ${spent("clients")}`;
}

function delaysOf({ delays }: Seen): string {
  const sorted = [...delays].sort(([a], [b]) => a - b);
  const all = sorted.reduce((sum, [, count]) => sum + count, 0);
  const percentile = (part: number): number => {
    let passed = 0;
    for (const [milliseconds, count] of sorted) {
      passed += count;
      if (passed >= all * part) return milliseconds;
    }
    return 0;
  };
  return `median ${percentile(0.5)} ms, 99th percentile ${percentile(0.99)} ms, longest ${percentile(1)} ms (${all} seen)`;
}
