/**
 * Events and invocation logs of a PostgreSQL source. The newest events of a trigger are merged from several index scans
 * in the same order: untried unordered events (`event_log_fetch`), other pending events, which are ordered or have been
 * tried (`event_log_waiting`), and finished events (`event_log_done`). Failed events alone, which are few,
 * have an index of their own (`event_log_failed`).
 */

import type { CleanupStatements } from "../cleanup-statements.ts";
import type { EventLogStatements } from "../log-statements.ts";

const eventColumns =
  "id, schema_name, table_name, trigger_name, payload, delivered, error, tries, created_at, locked, next_retry_at, archived";
const invocationColumns = "id, trigger_name, event_id, status as http_status, request, response, created_at";

const pending = "not delivered and not error and not archived";

function scan(condition: string, order = "created_at desc"): string {
  return `(select ${eventColumns} from engine_catalog.event_log
      where trigger_name = $1 and ${condition}
        and created_at >= coalesce($4::timestamptz at time zone 'utc', '-infinity')
        and created_at < coalesce($5::timestamptz at time zone 'utc', 'infinity')
      order by ${order} limit $2::bigint + $3::bigint)`;
}

// Sorting by a column that is always null lets the planner use the index that begins with it.
const waiting = scan(
  `${pending} and ordering_key is null and next_retry_at is null`,
  "next_retry_at desc nulls last, created_at desc",
);
const others = scan(`${pending} and (next_retry_at is not null or ordering_key is not null)`);

function newest(...scans: readonly string[]): string {
  return `select pg_catalog.row_to_json(e) from (
  select * from (
    ${scans.join("\n    union all\n    ")}
  ) scans order by created_at desc limit $2::bigint offset $3::bigint
) e`;
}

/** Returns a subquery for the event in flight of a key, which a redelivered event must wait for. */
function underWay(of: string): string {
  return `(select u.id from engine_catalog.event_log u
    where u.trigger_name = ${of}.trigger_name and u.ordering_key = ${of}.ordering_key and u.ordering_key is not null
      and not u.delivered and not u.error and not u.archived and u.locked is not null
    order by u.ordering_number limit 1)`;
}

const asNew = "delivered = false, error = false, tries = 0, locked = null, locked_by = null";

/**
 * Returns the statement that resets finished events. Rows are joined by ctid: by id, the join takes quadratic time if
 * the statistics show an empty table, as after an ANALYZE during a burst of events. A row that is updated between the
 * scan and its lock has another ctid and is not reset.
 */
function reset(state: string): string {
  return `with batch as materialized (
  select ctid, id, created_at, trigger_name, ordering_key from engine_catalog.event_log
  where trigger_name = $1 and ${state} and not archived
    and created_at >= coalesce($2::timestamptz at time zone 'utc', '-infinity')
    and created_at < coalesce($3::timestamptz at time zone 'utc', 'infinity')
    and (created_at, id) > (coalesce($4::timestamp, '-infinity'), coalesce($5, ''))
  order by created_at, id limit $6::bigint for update skip locked
), keys as materialized (
  select k.ordering_key, ${underWay("k")} as waits_for
  from (select distinct trigger_name, ordering_key from batch where $7::boolean and ordering_key is not null) k
), changed as (
  update engine_catalog.event_log e
  set ${asNew},
    ordering_key = case when $7::boolean then e.ordering_key end, ordering_waits_for = keys.waits_for
  from batch left join keys using (ordering_key) where e.ctid = batch.ctid
  returning 1
)
select (select count(*) from changed)::text, last.created_at::text, last.id, (select count(*) from batch)::text
from (select 1) one left join (select created_at, id from batch order by created_at desc, id desc limit 1) last on true`;
}

function invocations(column: string): string {
  return `select pg_catalog.row_to_json(i) from (
  select ${invocationColumns} from engine_catalog.event_invocation_logs
  where ${column} = $1 order by created_at desc limit $2::bigint offset $3::bigint
) i`;
}

export const postgresLogs: EventLogStatements = {
  installed: "select 1 where pg_catalog.to_regclass('engine_catalog.event_log') is not null",
  insertEvent: `insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload)
values ($1, $2, $3, $4::jsonb) returning id`,
  lockEvent: `select case when locked > pg_catalog.now() - interval '30 minutes' then 1 else 0 end, trigger_name
from engine_catalog.event_log where id = $1 and not archived for update`,
  // A claim locks its row of this table before its snapshot is taken.
  stopOrder: "lock table engine_catalog.engine_instances in exclusive mode",
  resetEvent: `update engine_catalog.event_log e
set ${asNew},
  ordering_key = case when $2::boolean then e.ordering_key end,
  ordering_waits_for = case when $2::boolean then ${underWay("e")} end
where id = $1`,
  resetEvents: { error: reset("error"), delivered: reset("delivered"), both: reset("(delivered or error)") },
  wake: `select pg_catalog.pg_notify('engine_events', '')
where exists (select from engine_catalog.engine_instances where waiting)`,
  packed: "select 1 from engine_catalog.packed_events limit 1",
  unpack: "select engine_catalog.unpack_events(20)::text",
  events: {
    all: newest(waiting, others, scan("(delivered or error or archived)")),
    pending: newest(waiting, others),
    processed: newest(scan("(delivered or error) and not archived")),
    delivered: newest(scan("delivered and not archived")),
    error: newest(scan("error and not archived")),
  },
  failedCounts: `select requested.name, (
  select pg_catalog.count(*) from (
    select from engine_catalog.event_log l
    where l.trigger_name = requested.name and l.error and not l.archived
      and l.created_at >= coalesce($2::timestamptz at time zone 'utc', '-infinity')
      and l.created_at < coalesce($3::timestamptz at time zone 'utc', 'infinity')
    limit $4::integer
  ) counted
)::text
from pg_catalog.json_array_elements_text($1::json) as requested(name)`,
  event: `select pg_catalog.row_to_json(e) from (
  select ${eventColumns} from engine_catalog.event_log where id = $1
) e`,
  invocationsOfTrigger: invocations("trigger_name"),
  invocationsOfEvent: invocations("event_id"),
};

/** Event clean-up in a PostgreSQL source. Locked rows are left to the next batch or run. */
const runs = "engine_catalog.engine_event_log_cleanups";
/** Constant within a statement, as conditions of index scans must be. */
const utcNow = "(pg_catalog.statement_timestamp() at time zone 'utc')";

const old = `old as materialized (
  select ctid, id, created_at from engine_catalog.event_log
  where trigger_name = $1 and (delivered or error) and locked is null
    and created_at < ${utcNow} - pg_catalog.make_interval(hours => $2::integer)
    and created_at >= coalesce($4::timestamp, '-infinity')
  order by created_at limit $3::bigint for update skip locked
)`;
const deletedEvents = `events as (
  delete from engine_catalog.event_log where ctid = any (array(select ctid from old)) returning 1
)`;
const deletedInvocations = `invocations as (
  delete from engine_catalog.event_invocation_logs where event_id in (select id from old) returning 1
)`;

export const postgresCleanup: CleanupStatements = {
  deleteEvents: `with ${old}, ${deletedEvents}
select (select count(*) from events)::text, '0', (select max(created_at) from old)::text`,
  deleteWithInvocations: `with ${old}, ${deletedEvents}, ${deletedInvocations}
select (select count(*) from events)::text, (select count(*) from invocations)::text,
  (select max(created_at) from old)::text`,
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
