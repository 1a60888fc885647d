/**
 * The event queue in PostgreSQL. All statements run at READ COMMITTED, which re-evaluates a row that another
 * transaction has just changed before it is locked. Session-level advisory locks and settings are not used, because
 * poolers share connections.
 */
import type { QueueStatements } from "../queue-statements.ts";

const schema = "engine_catalog";
const log = `${schema}.event_log`;
const instances = `${schema}.engine_instances`;
/** Constant within a statement, as conditions of index scans must be. */
const utcNow = "(pg_catalog.statement_timestamp() at time zone 'utc')";

/** Condition of pending events, as in the predicates of the indexes. */
const open = "not l.delivered and not l.error and not l.archived";
/**
 * The same, found by indexes although no index contains all pending events. The last condition is always true, and each
 * of its parts implies the predicate of an index. Without it, statements read all events ever delivered.
 */
const indexedOpen = `${open} and (l.ordering_key is null or l.ordering_key is not null)`;
/** The two disjoint parts of the pending events, in order of creation in `event_log_fetch` and `event_log_waiting`. */
const untried = `${open} and l.ordering_key is null and l.next_retry_at is null`;
const others = `${open} and (l.next_retry_at is not null or l.ordering_key is not null)`;
const due = `(l.next_retry_at is null or l.next_retry_at <= ${utcNow})`;

const eventColumns = `l.trigger_name, l.id, l.schema_name, l.table_name, l.payload::text, l.tries::text,
  pg_catalog.to_json(l.created_at) #>> '{}', (l.payload -> 'trace_context')::text,
  case when pg_catalog.isfinite(l.created_at) then extract(epoch from ${utcNow} - l.created_at) else 0 end::text`;

/** The lock makes the removal of the instance wait until this statement ends and its locks are visible. */
const me = `me as materialized (select from ${instances} where id = $1::uuid for key share)`;

/** Untried and retried events are separate ranges of the index, so that a claim does not read those not yet due. */
const candidates = (range: string): string => `select l.id from ${log} l
    where l.trigger_name = requested.name and ${open} and l.ordering_key is null and l.locked is null and ${range}
    order by l.next_retry_at nulls first, l.created_at limit requested.count for update skip locked`;

const take = `
with ${me}, due as materialized (
  select e.id
  from unnest($2::text[], $3::integer[], $5::timestamp[]) as requested(name, count, start), lateral (
    select id from (${candidates("l.next_retry_at is null and l.created_at >= requested.start")}) untried
    union all
    select id from (${candidates(`l.next_retry_at <= ${utcNow}`)}) retried
    limit requested.count
  ) e
  where exists (select from me)
  limit $4::integer
), taken as (
  update ${log} l set locked = pg_catalog.clock_timestamp(), locked_by = $1::uuid
  from due where l.id = due.id
  returning ${eventColumns}
)
select * from taken
union all
select null, null, null, null, null, null, null, null, null where exists (select from ${schema}.packed_events)`;

const ordered = `l.trigger_name = requested.name and ${open} and l.ordering_key is not null`;

/**
 * Claims the first event of each key, if it is unlocked and no earlier event can still appear.
 *
 * Events of a key have ascending numbers, drawn from a sequence when they are written. A transaction with a smaller
 * number may become visible later than one with a greater number. It had a transaction id when it drew its number,
 * because the row of the user's table was written before. A transaction id drawn after an event was seen is therefore
 * above those of all transactions that hold smaller numbers: that is the event's horizon. (The xmax of a snapshot is
 * not: it follows the last id that has ended, and greater ids may be in use.) Once all transactions below the horizon
 * have ended, which a snapshot with xmin >= horizon shows, all smaller numbers that will ever be visible are visible in
 * it, and the smallest is the first. This holds at any isolation level of the writers: a REPEATABLE READ transaction
 * draws ids and numbers when it writes, whatever its snapshot. Two transactions that write the same row run their
 * triggers one after the other, so the order of numbers is the order of their commits.
 *
 * Events without a horizon use the id of this transaction, which is drawn after its snapshot was taken, and only if
 * there are such events. If one of them has to wait, the id is also stored as the horizon of the other events, so that
 * the next claim does not wait for transactions that begin in the meantime.
 *
 * A redelivered event is the first of its key again, while a later one may be in flight. The redelivered event stores
 * the id of the later one and waits for the end of its delivery. A reset locks the table of instances, so that each
 * claim sees either none or all of its changes: tables are locked before the snapshot of a statement is taken.
 *
 * Keys are found one after the other in the index, starting where the last claim ended ($4), so that none starves. Each
 * key costs two index lookups, regardless of its number of events.
 */
const takeOrdered = `
with ${me}, snapshot as materialized (
  select pg_catalog.pg_snapshot_xmin(pg_catalog.pg_current_snapshot())::text::bigint as xmin
), own as materialized (
  select pg_catalog.pg_current_xact_id()::text::bigint as id
), requested as materialized (
  select * from unnest($2::text[], $3::integer[], $4::text[], $5::boolean[]) as a(name, count, after, hold)
), keys as materialized (
  select requested.name, requested.count, requested.hold, k.key, k.step
  from requested, lateral (
    with recursive k(key, step) as (
      (select l.ordering_key, 1 from ${log} l where ${ordered} and l.ordering_key > requested.after
       order by l.ordering_key limit 1)
      union all
      select (select l.ordering_key from ${log} l where ${ordered} and l.ordering_key > k.key
              order by l.ordering_key limit 1), k.step + 1
      from k where k.key is not null and k.step <= $6::integer
    ) select key, step from k where key is not null
  ) k
), heads as materialized (
  select requested.name, requested.key, requested.step, requested.count, head.id,
    coalesce(head.ordering_horizon, (select id from own)) <= snapshot.xmin as is_first
  from keys requested, snapshot, lateral (
    select l.* from ${log} l where ${ordered} and l.ordering_key = requested.key order by l.ordering_number limit 1
  ) head, lateral (select head.locked is null and
    (head.next_retry_at is null or head.next_retry_at <= ${utcNow}) and not exists (
      select from ${log} w where w.id = head.ordering_waits_for and w.locked is not null
    ) and not (requested.hold and exists (
      select from ${log} e where e.trigger_name = requested.name and e.ordering_key = requested.key and e.ordering_key is not null
        and e.error and not e.archived and e.ordering_number < head.ordering_number
    )) as is_free) state
  where state.is_free
), numbered as (
  select h.*, pg_catalog.row_number() over (partition by name order by step) as place from heads h where is_first
), chosen as materialized (
  select l.id from numbered n join ${log} l on l.id = n.id
  where n.place <= n.count and exists (select from me) and l.locked is null and ${open} and ${due}
  for update of l skip locked
), taken as (
  update ${log} l set locked = pg_catalog.clock_timestamp(), locked_by = $1::uuid
  from chosen where l.id = chosen.id
  returning ${eventColumns}
), marked as (
  update ${log} l set ordering_horizon = (select id from own)
  from (
    select u.id from requested, lateral (
      select l.id from ${log} l where ${ordered} and l.ordering_horizon is null
      order by l.ordering_number limit 1000 for update skip locked
    ) u
    where exists (select from me) and exists (select from heads where not is_first)
      and u.id not in (select id from chosen)
  ) unmarked where l.id = unmarked.id
  returning l.id
)
select requested.name, null, (select pg_catalog.count(*) from marked)::text,
  (select pg_catalog.bool_or(not h.is_first) from heads h where h.name = requested.name)::text,
  -- The key after which the next take starts: the last key taken, or the last one examined; null for the first key.
  coalesce(
    (select n.key from numbered n where n.name = requested.name and n.place = n.count and exists (
      select from numbered further where further.name = n.name and further.place > n.count)),
    (select k.key from keys k where k.name = requested.name and k.step > $6::integer)
  ), null, null, null, null
from requested
union all
select * from taken`;

/** Writes results. Absent members of a result become null. */
const finish = `
with result as materialized (
  select * from pg_catalog.json_to_recordset($1::json) as r(
    id text, instance uuid, state text, wait double precision, attempts integer, status integer, request json, response json
  )
), finished as (
  update ${log} l set
    delivered = r.state = 'delivered',
    error = r.state = 'error',
    tries = least(l.tries, 2147483646) + r.attempts,
    next_retry_at = case when r.wait > 0 then ${utcNow} + pg_catalog.make_interval(secs => r.wait)
      when r.state = 'free' then l.next_retry_at end,
    locked = null, locked_by = null
  from result r
  where l.id = r.id and l.locked_by = r.instance
  returning l.id, l.trigger_name, r.status, r.request, r.response
)
insert into ${schema}.event_invocation_logs (event_id, trigger_name, status, request, response)
select id, trigger_name, status, request, response from finished where request is not null`;

const wait = `
with me as (update ${instances} set waiting = true where id = $1::uuid and not waiting)
select (extract(epoch from pg_catalog.min(next.at) - ${utcNow}))::text
from unnest($2::text[]) as requested(name), lateral (
  select l.next_retry_at as at from ${log} l
  where l.trigger_name = requested.name and ${open} and l.ordering_key is null and l.next_retry_at > ${utcNow}
  order by l.next_retry_at nulls first limit 1
) next`;

/** Measures the backlog with the indexes of pending events. */
const backlog = `
select requested.name, least(waiting.count + coalesce(packed.events, 0), $2::integer)::text,
  extract(epoch from ${utcNow} - least(fresh.at, tried.at, packed.at))::text
from unnest($1::text[]) as requested(name)
cross join lateral (
  select pg_catalog.count(*) from (
    (select from ${log} l where l.trigger_name = requested.name and ${untried} limit $2::integer)
    union all
    (select from ${log} l where l.trigger_name = requested.name and ${others} limit $2::integer)
  ) counted
) waiting
left join lateral (
  select l.created_at as at from ${log} l where l.trigger_name = requested.name and ${untried}
  order by l.next_retry_at nulls first, l.created_at limit 1
) fresh on true
left join lateral (
  select l.created_at as at from ${log} l where l.trigger_name = requested.name and ${others}
  order by l.created_at limit 1
) tried on true
left join (
  select p.trigger_name as name, pg_catalog.sum(p.events) as events, pg_catalog.min(p.created_at) as at
  from ${schema}.packed_events p group by p.trigger_name
) packed on packed.name = requested.name`;

export const postgresQueue: QueueStatements = {
  enter: `insert into ${instances} (id) values ($1::uuid)`,
  renew: `update ${instances} set seen_at = pg_catalog.clock_timestamp() where id = $1::uuid returning 'lives'`,
  free: `update ${log} l set locked = null, locked_by = null where l.locked_by = any($1::uuid[]) and ${indexedOpen}`,
  leave: `delete from ${instances} where id = any($1::uuid[])`,
  expel: `delete from ${instances}
    where id <> $1::uuid and seen_at < pg_catalog.clock_timestamp() - pg_catalog.make_interval(secs => $2::double precision)
    returning id::text`,
  settle: `select 'settled' from ${instances} where id = $1::uuid for update skip locked`,
  release: `update ${log} l set locked = null, locked_by = null
    where l.locked_by = $1::uuid and l.id <> all($2::text[]) and ${indexedOpen}`,
  freeStale: `update ${log} l set locked = null, locked_by = null
    where l.locked < pg_catalog.clock_timestamp() - interval '30 minutes' and ${indexedOpen}`,
  take,
  takesFrom: true,
  unpack: `select ${schema}.unpack_events(4)::text`,
  takeOrdered,
  finish,
  wait,
  stopWaiting: `update ${instances} set waiting = false where id = $1::uuid and waiting`,
  clearOrder: `update ${log} l set ordering_key = null
    where l.trigger_name = any($1::text[]) and ${open} and l.ordering_key is not null`,
  backlog,
  channel: "engine_events",
  list: (values) => `{${values.map((value) => `"${value.replace(/[\\"]/g, "\\$&")}"`).join(",")}}`,
};
