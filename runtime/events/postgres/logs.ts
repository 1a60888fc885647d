/**
 * Events and invocation logs of a PostgreSQL source. The newest events of a trigger come from several scans of its
 * indexes: the pending events of `event_log_fetch`, with and without a retry, those of `event_log_ordered`, and the
 * finished ones of `event_log_done`. All but the retried and the ordered ones, which are sorted, are read in this order.
 */
import type { EventLogStatements } from "../log-statements.ts";

const eventColumns =
  "id, schema_name, table_name, trigger_name, payload, delivered, error, tries, created_at, locked, next_retry_at, archived";
const invocationColumns = "id, trigger_name, event_id, status as http_status, request, response, created_at";

const pending = "not delivered and not error and not archived";

function scan(condition: string, order = "created_at desc"): string {
  return `(select ${eventColumns} from engine_catalog.event_log
      where trigger_name = $1 and ${condition}
      order by ${order} limit $2::bigint + $3::bigint)`;
}

// The order by a column that is null everywhere lets the index, which begins with it, give the order of the next one.
const waiting = scan(
  `${pending} and ordering_key is null and next_retry_at is null`,
  "next_retry_at desc nulls last, created_at desc",
);
const retried = scan(`${pending} and ordering_key is null and next_retry_at is not null`);
const ordered = scan(`${pending} and ordering_key is not null`);

function newest(...scans: readonly string[]): string {
  return `select pg_catalog.row_to_json(e) from (
  select * from (
    ${scans.join("\n    union all\n    ")}
  ) scans order by created_at desc limit $2::bigint offset $3::bigint
) e`;
}

function reset(state: string): string {
  return `with batch as (
  select id, created_at from engine_catalog.event_log
  where trigger_name = $1 and ${state} and not archived
    and created_at >= coalesce($2::timestamptz at time zone 'utc', '-infinity')
    and created_at < coalesce($3::timestamptz at time zone 'utc', 'infinity')
    and (created_at, id) > (coalesce($4::timestamp, '-infinity'), coalesce($5, ''))
  order by created_at, id limit $6::bigint for update skip locked
), changed as (
  update engine_catalog.event_log e
  set delivered = false, error = false, tries = 0, locked = null, locked_by = null
  from batch where e.id = batch.id
)
select (select count(*) from batch)::text, last.created_at::text, last.id
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
  lockEvent: `select case when locked > pg_catalog.now() - interval '30 minutes' then 1 else 0 end
from engine_catalog.event_log where id = $1 and not archived for update`,
  resetEvent: `update engine_catalog.event_log
set delivered = false, error = false, tries = 0, locked = null, locked_by = null where id = $1`,
  resetEvents: { error: reset("error"), delivered: reset("delivered"), both: reset("(delivered or error)") },
  wake: `select pg_catalog.pg_notify('engine_events', '')
where exists (select from engine_catalog.engine_instances where waiting)`,
  packed: "select 1 from engine_catalog.packed_events limit 1",
  unpack: "select engine_catalog.unpack_events(20)::text",
  events: {
    all: newest(waiting, retried, ordered, scan("(delivered or error or archived)")),
    pending: newest(waiting, retried, ordered),
    processed: newest(scan("(delivered or error) and not archived")),
  },
  event: `select pg_catalog.row_to_json(e) from (
  select ${eventColumns} from engine_catalog.event_log where id = $1
) e`,
  invocationsOfTrigger: invocations("trigger_name"),
  invocationsOfEvent: invocations("event_id"),
};
