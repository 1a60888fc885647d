/**
 * The queue of events in PostgreSQL. All statements run at READ COMMITTED, where a row that another instance has just
 * changed is looked at anew before it is taken. No advisory locks and no settings of the session: poolers share
 * connections.
 */
import type { QueueStatements } from "../queue-statements.ts";

const schema = "engine_catalog";
const log = `${schema}.event_log`;
const instances = `${schema}.engine_instances`;
const utcNow = "(pg_catalog.clock_timestamp() at time zone 'utc')";

/** Those that may have to be delivered; the words of the indexes. */
const open = "not l.delivered and not l.error and not l.archived";
const due = `(l.next_retry_at is null or l.next_retry_at <= ${utcNow})`;

const eventColumns = `l.trigger_name, l.id, l.schema_name, l.table_name, l.payload::text, l.tries::text,
  pg_catalog.to_json(l.created_at) #>> '{}', (l.payload -> 'trace_context')::text`;

/** Who removes the instance waits until this has ended, and then finds what it took. */
const me = `me as materialized (select from ${instances} where id = $1::uuid for key share)`;

const take = `
with ${me}, due as materialized (
  select e.id
  from unnest($2::text[], $3::integer[]) as asked(name, count), lateral (
    select l.id from ${log} l
    where l.trigger_name = asked.name and ${open} and l.ordering_key is null and l.locked is null and ${due}
    order by l.next_retry_at nulls first, l.created_at
    limit asked.count
    for update skip locked
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
select null, null, null, null, null, null, null, null where exists (select from ${schema}.packed_events)`;

const ordered = `l.trigger_name = asked.name and ${open} and l.ordering_key is not null`;

/**
 * Takes the first event of keys, where nobody has it and nothing earlier can still appear.
 *
 * Events of a key have ascending numbers, drawn from a sequence when they are written. A transaction with a smaller
 * number may become visible later than one with a greater number. It had an id when it drew its number, for the row of
 * the user's table was written before. So an id that is drawn after an event was seen is above those of all transactions
 * that hold smaller numbers: that is the event's horizon. (The xmax of a snapshot is not: it is the id behind the last
 * one that has ended, and greater ones may be in use.) Once all transactions below the horizon have ended, which a
 * snapshot with xmin >= horizon says, all smaller numbers that will ever be visible are visible in it, and the smallest
 * is the first. None of this depends on the isolation level of the writers: a REPEATABLE READ transaction draws ids and
 * numbers when it writes, whatever it sees. Two transactions that write the same row run their triggers one after the
 * other, so the order of numbers is the order of their commits.
 *
 * The horizon of events that have none is the id of this transaction, which is drawn after its snapshot was taken, and
 * only where there are such events. Where one of them has to wait, it is written down, for others as well, so that the
 * next look need not wait for transactions that begin meanwhile.
 *
 * An event that is to be delivered again is the first of its key once more, while a later one may be under way: it knows
 * which, and waits for its end. Whoever says so locks the table of instances, so that each look sees either nothing or
 * all of it: tables are locked before a statement's snapshot is taken.
 *
 * Keys are found one after the other in the index, from where the last look ended ($4), so that none starves; a key
 * costs two looks into indexes however many events it has.
 */
const takeOrdered = `
with ${me}, snapshot as materialized (
  select pg_catalog.pg_snapshot_xmin(pg_catalog.pg_current_snapshot())::text::bigint as xmin
), own as materialized (
  select pg_catalog.pg_current_xact_id()::text::bigint as id
), asked as materialized (
  select * from unnest($2::text[], $3::integer[], $4::text[], $5::boolean[]) as a(name, count, after, hold)
), keys as materialized (
  select asked.name, asked.count, asked.hold, k.key, k.step
  from asked, lateral (
    with recursive k(key, step) as (
      (select l.ordering_key, 1 from ${log} l where ${ordered} and l.ordering_key > asked.after
       order by l.ordering_key limit 1)
      union all
      select (select l.ordering_key from ${log} l where ${ordered} and l.ordering_key > k.key
              order by l.ordering_key limit 1), k.step + 1
      from k where k.key is not null and k.step <= $6::integer
    ) select key, step from k where key is not null
  ) k
), heads as materialized (
  select asked.name, asked.key, asked.step, asked.count, head.id,
    coalesce(head.ordering_horizon, (select id from own)) <= snapshot.xmin as is_first
  from keys asked, snapshot, lateral (
    select l.* from ${log} l where ${ordered} and l.ordering_key = asked.key order by l.ordering_number limit 1
  ) head, lateral (select head.locked is null and
    (head.next_retry_at is null or head.next_retry_at <= ${utcNow}) and not exists (
      select from ${log} w where w.id = head.ordering_waits_for and w.locked is not null
    ) and not (asked.hold and exists (
      select from ${log} e where e.trigger_name = asked.name and e.ordering_key = asked.key and e.ordering_key is not null
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
    select u.id from asked, lateral (
      select l.id from ${log} l where ${ordered} and l.ordering_horizon is null
      order by l.ordering_number limit 1000 for update skip locked
    ) u
    where exists (select from me) and exists (select from heads where not is_first)
      and u.id not in (select id from chosen)
  ) unmarked where l.id = unmarked.id
  returning l.id
)
select asked.name, null, (select pg_catalog.count(*) from marked)::text,
  (select pg_catalog.bool_or(not h.is_first) from heads h where h.name = asked.name)::text,
  -- Where to go on: behind the last key that was taken, or behind all that were looked at; null: from the beginning.
  coalesce(
    (select n.key from numbered n where n.name = asked.name and n.place = n.count and exists (
      select from numbered further where further.name = n.name and further.place > n.count)),
    (select k.key from keys k where k.name = asked.name and k.step > $6::integer)
  ), null, null, null
from asked
union all
select * from taken`;

/** Members of a result that are absent are null. */
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
from unnest($2::text[]) as asked(name), lateral (
  select l.next_retry_at as at from ${log} l
  where l.trigger_name = asked.name and ${open} and l.ordering_key is null and l.next_retry_at > ${utcNow}
  order by l.next_retry_at limit 1
) next`;

/** By the index of what is to be delivered; of those that were tried before, the one that is due first stands for all. */
const backlog = `
select asked.name, least(waiting.count + coalesce(packed.events, 0), $2::integer)::text,
  extract(epoch from ${utcNow} - least(fresh.at, tried.at, packed.at))::text
from unnest($1::text[]) as asked(name)
cross join lateral (
  select pg_catalog.count(*) from (
    select from ${log} l where l.trigger_name = asked.name and ${open} limit $2::integer
  ) counted
) waiting
left join lateral (
  select l.created_at as at from ${log} l where l.trigger_name = asked.name and ${open} and l.next_retry_at is null
  order by l.created_at limit 1
) fresh on true
left join lateral (
  select l.created_at as at from ${log} l where l.trigger_name = asked.name and ${open} and l.next_retry_at is not null
  order by l.next_retry_at limit 1
) tried on true
left join (
  select p.trigger_name as name, pg_catalog.sum(p.events) as events, pg_catalog.min(p.created_at) as at
  from ${schema}.packed_events p group by p.trigger_name
) packed on packed.name = asked.name`;

export const postgresQueue: QueueStatements = {
  enter: `insert into ${instances} (id) values ($1::uuid)`,
  renew: `update ${instances} set seen_at = pg_catalog.clock_timestamp() where id = $1::uuid returning 'lives'`,
  free: `update ${log} l set locked = null, locked_by = null where l.locked_by = any($1::uuid[]) and ${open}`,
  leave: `delete from ${instances} where id = any($1::uuid[])`,
  expel: `delete from ${instances}
    where id <> $1::uuid and seen_at < pg_catalog.clock_timestamp() - pg_catalog.make_interval(secs => $2::double precision)
    returning id::text`,
  settle: `select 'settled' from ${instances} where id = $1::uuid for update skip locked`,
  release: `update ${log} l set locked = null, locked_by = null
    where l.locked_by = $1::uuid and l.id <> all($2::text[]) and ${open}`,
  freeForgotten: `update ${log} l set locked = null, locked_by = null
    where l.locked < pg_catalog.clock_timestamp() - interval '30 minutes' and ${open}`,
  take,
  unpack: `select ${schema}.unpack_events(4)::text`,
  takeOrdered,
  finish,
  wait,
  stopWaiting: `update ${instances} set waiting = false where id = $1::uuid and waiting`,
  forgetOrder: `update ${log} l set ordering_key = null
    where l.trigger_name = any($1::text[]) and ${open} and l.ordering_key is not null`,
  backlog,
  channel: "engine_events",
  list: (values) => `{${values.map((value) => `"${value.replace(/[\\"]/g, "\\$&")}"`).join(",")}}`,
};
