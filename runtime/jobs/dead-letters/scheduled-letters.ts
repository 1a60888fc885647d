/** Dead letters of schedules and asynchronous actions, which are rows of the metadata database. */
import { parseDatabaseJson } from "../../values/json/parse.ts";
import type { AutomationDatabase } from "../delivery/database.ts";
import { type EventKind, oneOffLane, tablesOf } from "../schedules/statements.ts";
import { type DeadLetter, type DeadLetterRange, reasonOf } from "./dead-letter.ts";

type Database = Pick<AutomationDatabase, "query">;

interface FailedSchedules extends DeadLetterRange {
  readonly kind: EventKind;
  /** Names of cron triggers; ignored for one-off events. */
  readonly triggers: readonly string[];
}

const inRange = `e.scheduled_time >= coalesce($2::timestamptz, '-infinity')
  and e.scheduled_time < coalesce($3::timestamptz, 'infinity')`;

/** Parameters: lanes, start, end, number of rows. Reads the newest rows of each lane and status from an index. */
const listStatement = (kind: EventKind): string => {
  const { events, logs, lane } = tablesOf[kind];
  const payload = kind === "cron" ? "null::text" : "e.payload::text";
  return `
  with newest as materialized (
    select e.id, e.scheduled_time from unnest($1::text[]) as lanes (name)
    cross join unnest(array['error', 'dead']) as wanted (status)
    cross join lateral (
      select e.id, e.scheduled_time from ${events} e
      where ${lane} = lanes.name and e.status = wanted.status and isfinite(e.scheduled_time) and ${inRange}
      order by e.scheduled_time desc, e.id desc limit $4::bigint
    ) e
    order by e.scheduled_time desc, e.id desc limit $4::bigint
  )
  select e.id, ${lane} as lane, e.status, e.scheduled_time, e.tries, ${payload} as payload,
    last.created_at as failed_at, last.status as http_status, last.response::text as response
  from newest cross join lateral (select * from ${events} e where e.id = newest.id limit 1) e
  left join lateral (
    select l.created_at, l.status, l.response from ${logs} l where l.event_id = e.id order by l.created_at desc limit 1
  ) last on true
  order by e.scheduled_time desc, e.id desc`;
};

/** Returns the failed and missed events of schedules, newest first. */
export async function failedSchedules(
  database: Database,
  { kind, triggers, from, to }: FailedSchedules,
  count: number,
): Promise<readonly DeadLetter[]> {
  const lanes = kind === "cron" ? triggers : [oneOffLane];
  const rows = await database.query(listStatement(kind), [lanes, from ?? null, to ?? null, count]);
  return rows.map((row) => ({
    kind,
    source: null,
    name: kind === "cron" ? String(row.lane) : null,
    id: String(row.id),
    status: row.status === "dead" ? "dead" : "error",
    at: row.scheduled_time as Date,
    failedAt: row.failed_at as Date | null,
    tries: Number(row.tries),
    reason: reasonOf(row.http_status, jsonOf(row.response)),
    payload: jsonOf(row.payload),
  }));
}

const jsonOf = (text: unknown): unknown => (typeof text === "string" ? parseDatabaseJson(text) : null);

/** Parameters: start, end, maximum count per kind and trigger. */
const countStatement = `
  with wanted (kind, name) as (
    select 'cron', s.trigger_name from engine_catalog.engine_cron_schedules s
    union all select 'one_off', '${oneOffLane}'
    union all select 'action', unnest($4::text[])
  )
  select wanted.kind, wanted.name, (
    case wanted.kind
      when 'cron' then (select count(*) from (
        select from engine_catalog.engine_cron_events e
        where e.trigger_name = wanted.name and e.status in ('error', 'dead')
          and e.scheduled_time >= coalesce($1::timestamptz, '-infinity')
          and e.scheduled_time < coalesce($2::timestamptz, 'infinity') limit $3::bigint) counted)
      when 'one_off' then (select count(*) from (
        select from engine_catalog.engine_scheduled_events e
        where e.status in ('error', 'dead')
          and e.scheduled_time >= coalesce($1::timestamptz, '-infinity')
          and e.scheduled_time < coalesce($2::timestamptz, 'infinity') limit $3::bigint) counted)
      else (select count(*) from (
        select from engine_catalog.engine_action_log l
        where l.action_name = wanted.name and l.status = 'error'
          and l.created_at >= coalesce($1::timestamptz, '-infinity')
          and l.created_at < coalesce($2::timestamptz, 'infinity') limit $3::bigint) counted)
    end
  )::int as count
  from wanted`;

export interface ScheduledCount {
  readonly kind: "cron" | "one_off" | "action";
  readonly name: string;
  readonly count: number;
}

/** Counts the dead letters of each schedule and of the given actions, each up to `maxCount`. */
export async function countScheduledLetters(
  database: Database,
  actions: readonly string[],
  { from, to }: DeadLetterRange,
  maxCount: number,
): Promise<readonly ScheduledCount[]> {
  const rows = await database.query(countStatement, [from ?? null, to ?? null, maxCount, actions]);
  return rows.map(({ kind, name, count }) => ({
    kind: kind as ScheduledCount["kind"],
    name: String(name),
    count: Number(count),
  }));
}
