/**
 * Three instances, one of which is killed every second, deliver one-off events and the events of cron triggers that run
 * every minute. At any time, some one-off events are due. Every occurrence is delivered, and none is delivered again
 * after its success was stored.
 */
import { setTimeout as delay } from "node:timers/promises";
import { Checks } from "../lab/checks.ts";
import { judge, type KeptEvent } from "../lab/event-judge.ts";
import { EventReceiver, type Told } from "../lab/event-receiver.ts";
import type { Fault } from "../lab/lab.ts";
import { within } from "../lab/processes.ts";
import { below, randomOf } from "../lab/random.ts";

const oneOffPerSecond = 20;
const cronTriggers = 50;

interface Body {
  readonly id: string;
  readonly name?: string;
}

const read = (text: string): Told => {
  const { id, name } = JSON.parse(text) as Body;
  return { event: id, trigger: name ?? "one-off", key: 0, number: 0 };
};

/** Selects the due events of both kinds, with the times of their stored successes. */
const kept = `
  select e.id, e.trigger_name as trigger, 0 as key, 0 as number, e.status = 'delivered' as delivered,
    array(select extract(epoch from l.created_at) * 1000 from engine_catalog.engine_cron_event_invocation_logs l
      where l.event_id = e.id and l.status = 200 order by 1)::float8[] as successes
  from engine_catalog.engine_cron_events e where e.scheduled_time <= $1
  union all
  select e.id, 'one-off', 0, 0, e.status = 'delivered',
    array(select extract(epoch from l.created_at) * 1000 from engine_catalog.engine_scheduled_event_invocation_logs l
      where l.event_id = e.id and l.status = 200 order by 1)::float8[]
  from engine_catalog.engine_scheduled_events e where e.scheduled_time <= $1`;

/** Selects minutes that are missing or occur twice since the triggers were created. */
const wrongTimes = `
  select trigger_name, time from (select distinct trigger_name from engine_catalog.engine_cron_events) t,
    generate_series(
      (select date_trunc('minute', min(scheduled_time)) from engine_catalog.engine_cron_events),
      $1::timestamptz, interval '1 minute'
    ) time
  where (select count(*) from engine_catalog.engine_cron_events e
    where e.trigger_name = t.trigger_name and e.scheduled_time = time) <> 1`;

export const scheduleLoss: Fault = {
  name: "schedules while instances are killed",
  isQuick: true,
  async run(lab) {
    const seed = Number(process.env.FAULT_SEED ?? Date.now() % 1_000_000);
    const random = randomOf(seed);
    const receiver = await EventReceiver.open({ random, failing: 0.02, slowest: 50, read });
    lab.onClose(() => receiver.close());
    const cluster = await lab.cluster({});
    await cluster.sql("postgres", "create database schedules");
    const environment = {
      ENGINE_GRAPHQL_METADATA_DATABASE_URL: cluster.url("schedules"),
      ENGINE_GRAPHQL_NO_OF_RETRIES: "20",
    };
    const first = await lab.engine({ environment });
    const retry_conf = { num_retries: 1000, retry_interval_seconds: 1 };
    const args = Array.from({ length: cronTriggers }, (_, n) => ({
      type: "create_cron_trigger",
      args: {
        name: `cron ${n}`,
        webhook: receiver.url,
        schedule: "* * * * *",
        include_in_metadata: true,
        retry_conf,
      },
    }));
    await first.post("/v1/metadata", { type: "bulk", args });
    const engines = [first, await lab.engine({ environment }), await lab.engine({ environment })];
    const checks = new Checks();
    const seconds = lab.length(8, 75);
    // Events that become due one by one, every second from now on.
    await cluster.sql(
      "schedules",
      `insert into engine_catalog.engine_scheduled_events (webhook_conf, scheduled_time, retry_conf, payload)
       select to_json($1::text), now() + make_interval(secs => n / ${oneOffPerSecond}), $2, 'null'
       from generate_series(1, $3::int) n`,
      [receiver.url, JSON.stringify(retry_conf), seconds * oneOffPerSecond],
    );
    const until = performance.now() + seconds * 1000;
    while (performance.now() < until) {
      await delay(1000);
      const engine = engines[below(random, engines.length)];
      await engine?.kill();
      await engine?.start();
    }
    const [last] = await cluster.sql("schedules", "select now()::text as now");
    const events = async (): Promise<readonly KeptEvent[]> =>
      (await cluster.sql("schedules", kept, [last?.now])) as unknown as readonly KeptEvent[];
    const ended = performance.now();
    const isDone = await within(30_000, async () => (await events()).every(({ delivered }) => delivered));
    const recovery = performance.now() - ended;
    checks.that(isDone, "events are not delivered in time");
    const due = await events();
    const ids = new Set(due.map(({ id }) => id));
    checks.broken.push(
      ...judge(
        due,
        receiver.arrivals.filter(({ event }) => ids.has(event)),
        "",
      ),
    );
    const wrong = await cluster.sql("schedules", wrongTimes, [last?.now]);
    checks.that(wrong.length === 0, `${wrong.length} times are missing or twice, such as ${JSON.stringify(wrong[0])}`);
    if (checks.broken.length > 0) checks.broken.push(`FAULT_SEED=${seed}`);
    return { figures: { requests: receiver.arrivals.length, recovery }, broken: checks.broken };
  },
};
