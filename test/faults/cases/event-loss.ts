/**
 * Events of 20 writers are delivered by three instances, one of which is killed every second, or the database is
 * restarted. Every event is delivered, no event is delivered again after its success was stored, the events of a key
 * arrive in order, and another instance claims the events that a killed instance had leased.
 */
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { Checks } from "../lab/checks.ts";
import type { Cluster, DatabaseServer } from "../lab/cluster.ts";
import type { Engine } from "../lab/engine.ts";
import { judge, type KeptEvent } from "../lab/event-judge.ts";
import { EventReceiver } from "../lab/event-receiver.ts";
import type { Fault, Lab } from "../lab/lab.ts";
import { within } from "../lab/processes.ts";
import { below, type Random, randomOf } from "../lab/random.ts";

const writers = 20;
const keys = 200;
const metricsSecret = "metrics";
/** Number of rows in a statement that is large enough for packed events. */
const manyRows = 150;

export const tables = `
  create table step (key int primary key, number int not null);
  insert into step select n, 0 from generate_series(1, ${keys}) n;
  create table mark (id bigserial primary key, key int not null, number int not null);
  create sequence many;
`;

/** Failed deliveries are retried until they succeed. */
const retry_conf = { num_retries: 1000, interval_sec: 1, timeout_sec: 20 };

export const metadata = (webhook: string): readonly unknown[] => [
  ...["step", "mark"].map((table) => ({ type: "pg_track_table", args: { table } })),
  {
    type: "pg_create_event_trigger",
    args: {
      name: "steps",
      table: "step",
      webhook,
      retry_conf,
      update: { columns: ["number"] },
      ordering: { key: ["key"] },
    },
  },
  {
    type: "pg_create_event_trigger",
    args: { name: "marks", table: "mark", webhook, retry_conf, insert: { columns: "*" } },
  },
];

export const eventLoss: Fault = {
  name: "events while instances are killed",
  isQuick: true,
  async run(lab) {
    const seed = Number(process.env.FAULT_SEED ?? Date.now() % 1_000_000);
    const random = randomOf(seed);
    const receiver = await EventReceiver.open({ random, failing: 0.02, slowest: 20 });
    lab.onClose(() => receiver.close());
    const { cluster, database, engines } = await threeInstances(lab, receiver.url);
    const checks = new Checks();

    const until = performance.now() + lab.length(8000, 120_000);
    const wanted = lab.length(4000, 100_000);
    const writing = Promise.all(
      Array.from({ length: writers }, (_, n) =>
        write({ url: cluster.url(database), random: randomOf(seed + n + 1), events: wanted / writers }),
      ),
    );
    let faults = 0;
    while (performance.now() < until) {
      await delay(1000);
      faults++;
      if (random() < 0.2) {
        await cluster.stop("immediate");
        await cluster.start();
      } else {
        const engine = engines[below(random, engines.length)];
        await engine?.kill();
        await engine?.start();
      }
    }
    await writing;
    const ended = performance.now();
    const isDone = await within(lab.length(30_000, 120_000), async () => (await pending(cluster, database)) === 0);
    const recovery = performance.now() - ended;
    checks.that(isDone, `${await pending(cluster, database)} events are not delivered in time`);
    const events = await keptEvents(cluster, database);
    checks.that(events.length >= wanted, `${events.length} events were recorded for ${wanted} writes`);
    checks.broken.push(...(await unrecorded(cluster, database)));
    checks.broken.push(...judge(events, receiver.arrivals, "steps"));
    checks.broken.push(...(await takenUp(cluster, database, engines)));
    if (checks.broken.length > 0) checks.broken.push(`FAULT_SEED=${seed}, ${faults} faults`);
    return { figures: { requests: receiver.arrivals.length, recovery }, broken: checks.broken };
  },
};

async function threeInstances(lab: Lab, webhook: string) {
  const cluster = await lab.cluster({ settings: {} });
  const database = await lab.database(cluster);
  await cluster.sql(database, tables);
  await cluster.sql("postgres", `create database ${database}_metadata`);
  const environment = {
    ENGINE_GRAPHQL_DATABASE_URL: cluster.url(database),
    ENGINE_GRAPHQL_METADATA_DATABASE_URL: cluster.url(`${database}_metadata`),
    ENGINE_GRAPHQL_NO_OF_RETRIES: "20",
    ENGINE_GRAPHQL_ENABLED_APIS: "metadata,metrics",
    ENGINE_GRAPHQL_METRICS_SECRET: metricsSecret,
  };
  const first = await lab.engine({ environment });
  await first.post("/v1/metadata", { type: "bulk", args: metadata(webhook) });
  const engines = [first, await lab.engine({ environment }), await lab.engine({ environment })];
  return { cluster, database, engines };
}

interface Writing {
  readonly url: string;
  readonly random: Random;
  readonly events: number;
}

/**
 * Runs transactions at both isolation levels, with few or many rows and some rolled back, until a number of events are
 * committed.
 */
export async function write({ url, random, events }: Writing): Promise<void> {
  let committed = 0;
  let client: pg.Client | undefined;
  while (committed < events) {
    try {
      client ??= await connect(url);
      committed += await transaction(client, random);
    } catch (error) {
      // The transaction may have been committed. The writer may retry, because the check reads the committed rows.
      const isConflict = error instanceof pg.DatabaseError && error.code?.startsWith("40") === true;
      if (isConflict) await client?.query("rollback").catch(() => undefined);
      else {
        await client?.end().catch(() => undefined);
        client = undefined;
        await delay(100);
      }
    }
  }
  await client?.end();
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined); // the next statement reports the error
  await client.connect();
  return client;
}

async function transaction(client: pg.Client, random: Random): Promise<number> {
  const rows = 1 + below(random, 5);
  await client.query(`begin isolation level ${random() < 0.5 ? "read committed" : "repeatable read"}`);
  // All writers use the same order, so that they cannot deadlock.
  const chosen = [...new Set(Array.from({ length: rows }, () => 1 + below(random, keys)))].sort((a, b) => a - b);
  for (const key of chosen) {
    await client.query("update step set number = number + 1 where key = $1", [key]);
    await client.query("insert into mark (key, number) select key, number from step where key = $1", [key]);
    if (random() < 0.1) await delay(random() * 50);
  }
  const together = random() < 0.01 ? manyRows : 0;
  await client.query("insert into mark (key, number) select 0, nextval('many') from generate_series(1, $1)", [
    together,
  ]);
  const isKept = random() < 0.9;
  await client.query(isKept ? "commit" : "rollback");
  return isKept ? 2 * chosen.length + together : 0;
}

export async function pending(cluster: DatabaseServer, database: string): Promise<number> {
  const text = `select (select count(*) from engine_catalog.event_log where not delivered)
    + (select coalesce(sum(events), 0) from engine_catalog.packed_events) as count`;
  return Number((await cluster.sql(database, text))[0]?.count);
}

export async function keptEvents(cluster: DatabaseServer, database: string): Promise<readonly KeptEvent[]> {
  const rows = await cluster.sql(
    database,
    `select id, trigger_name as trigger, (payload #>> '{data,new,key}')::int as key,
       (payload #>> '{data,new,number}')::int as number, delivered,
       array(select extract(epoch from l.created_at) * 1000 from engine_catalog.event_invocation_logs l
         where l.event_id = e.id and l.status = 200 order by 1)::float8[] as successes
     from engine_catalog.event_log e`,
  );
  return rows as unknown as readonly KeptEvent[];
}

/** Returns committed writes without an event. */
export async function unrecorded(cluster: DatabaseServer, database: string): Promise<readonly string[]> {
  const text = `
    with recorded as (
      select trigger_name, (payload #>> '{data,new,key}')::int as key, (payload #>> '{data,new,number}')::int as number
      from engine_catalog.event_log
    )
    select 'step' as "table", key, number from (select key, generate_series(1, number) as number from step) s
      where (key, number) not in (select key, number from recorded where trigger_name = 'steps')
    union all
    select 'mark', key, number from mark
      where (key, number) not in (select key, number from recorded where trigger_name = 'marks')`;
  const rows = await cluster.sql(database, text);
  return rows.length === 0 ? [] : [`${rows.length} writes left no event, such as ${JSON.stringify(rows[0])}`];
}

/** Returns the metadata version that the instance serves. */
async function metadataVersion({ url }: Engine): Promise<number> {
  const answer = await fetch(`${url}/v1/metrics`, { headers: { authorization: `Bearer ${metricsSecret}` } });
  return Number(/^engine_metadata_resource_version (\d+)$/m.exec(await answer.text())?.[1]);
}

/** Returns the time until a surviving instance has claimed the events that a killed instance had leased. */
async function takenUp(cluster: Cluster, database: string, engines: readonly Engine[]): Promise<readonly string[]> {
  const [victim, survivor, ...others] = engines;
  for (const other of others) await other.kill("SIGTERM");
  const silent = await EventReceiver.open({ random: () => 1, failing: 0, slowest: 60_000 });
  const holders = async (): Promise<readonly number[]> => {
    const text = `select count(*)::int as count from engine_catalog.event_log
      where locked is not null and not delivered group by locked_by`;
    return (await cluster.sql(database, text)).map(({ count }) => Number(count));
  };
  const events = 60;
  const areHeldBy = async (instances: number): Promise<boolean> => {
    const counts = await holders();
    return counts.length === instances && counts.reduce((sum, count) => sum + count, 0) === events;
  };
  try {
    await victim?.post("/v1/metadata", {
      type: "pg_create_event_trigger",
      args: {
        name: "marks",
        table: "mark",
        webhook: silent.url,
        retry_conf: { ...retry_conf, timeout_sec: 60 },
        insert: { columns: "*" },
        replace: true,
      },
    });
    const version = victim && (await metadataVersion(victim));
    const isTold = async () => survivor !== undefined && (await metadataVersion(survivor)) === version;
    if (!(await within(10_000, isTold))) return ["an instance does not hear of a change of the metadata"];
    const text = `insert into mark (key, number) values (0, -1)`;
    for (let n = 0; n < events; n++) await cluster.sql(database, text);
    if (!(await within(10_000, () => areHeldBy(2))))
      return [`two instances hold ${await holders()} of ${events} events`];
    await victim?.kill();
    const killed = performance.now();
    if (!(await within(15_000, () => areHeldBy(1)))) return [`a killed instance keeps its events: ${await holders()}`];
    const seconds = (performance.now() - killed) / 1000;
    await survivor?.kill();
    return seconds > 10 ? [`events of a killed instance were taken up after ${seconds.toFixed(1)} s`] : [];
  } finally {
    await silent.close();
  }
}
