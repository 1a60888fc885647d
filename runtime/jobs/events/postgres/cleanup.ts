/** Event clean-up in a PostgreSQL source. Locked rows are left to the next batch or run. */
import type { CleanupStatements } from "../cleanup-statements.ts";

const runs = "engine_catalog.engine_event_log_cleanups";
const utcNow = "(pg_catalog.clock_timestamp() at time zone 'utc')";

const old = `old as materialized (
  select id from engine_catalog.event_log
  where trigger_name = $1 and (delivered or error) and locked is null
    and created_at < ${utcNow} - pg_catalog.make_interval(hours => $2::integer)
  order by created_at limit $3::bigint for update skip locked
)`;
const deletedEvents = `events as (
  delete from engine_catalog.event_log where id in (select id from old) returning 1
)`;
const deletedInvocations = `invocations as (
  delete from engine_catalog.event_invocation_logs where event_id in (select id from old) returning 1
)`;

export const postgresCleanup: CleanupStatements = {
  deleteEvents: `with ${old}, ${deletedEvents}
select (select count(*) from events)::text, '0'`,
  deleteWithInvocations: `with ${old}, ${deletedEvents}, ${deletedInvocations}
select (select count(*) from events)::text, (select count(*) from invocations)::text`,
  now: `select pg_catalog.to_char(${utcNow}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  schedule: `with wanted as (
  select (value::timestamptz at time zone 'utc') as at from pg_catalog.json_array_elements_text($2::json)
), kept as (
  select scheduled_at from ${runs}
  where trigger_name = $1 and status = 'scheduled' and scheduled_at in (select at from wanted)
), dropped as (
  delete from ${runs}
  where trigger_name = $1 and status = 'scheduled' and scheduled_at > ${utcNow}
    and scheduled_at not in (select at from wanted)
)
insert into ${runs} (trigger_name, scheduled_at, status)
select $1, at, 'scheduled' from wanted
where (select count(*) from kept) < 5 and at > coalesce((select max(scheduled_at) from kept), '-infinity')
order by at limit 50
on conflict (trigger_name, scheduled_at) do nothing`,
  due: `select distinct on (trigger_name) trigger_name, id from ${runs}
where status = 'scheduled' and scheduled_at <= ${utcNow}
  and trigger_name in (select pg_catalog.json_array_elements_text($1::json))
order by trigger_name, scheduled_at desc`,
  skipOlder: `update ${runs} set status = 'dead' where id in (
  select older.id from ${runs} older join ${runs} newest using (trigger_name)
  where newest.id = $1 and older.status = 'scheduled' and older.scheduled_at < newest.scheduled_at
  for update of older skip locked
)`,
  end: `update ${runs} set status = $2 where id = $1 and status = 'scheduled'`,
  claim: `select 1 from ${runs} where id = $1 and status = 'scheduled' for update skip locked`,
  record: `update ${runs} set status = $4,
  deleted_event_logs = coalesce(deleted_event_logs, 0) + $2::integer,
  deleted_event_invocation_logs = coalesce(deleted_event_invocation_logs, 0) + $3::integer
where id = $1`,
};
