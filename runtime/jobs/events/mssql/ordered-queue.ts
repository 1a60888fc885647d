/**
 * The order of events in SQL Server.
 *
 * A recorder writes a row into `ordered_arrivals` for each event. Its `rowversion` is drawn from a counter of the
 * database when the row is written, by the transaction that wrote the user's row: of two transactions that write the
 * same row, the later one to commit has the greater value. A transaction with a smaller value may commit later.
 * `MIN_ACTIVE_ROWVERSION` is the lowest value used by an uncommitted transaction, whatever its isolation level. All
 * arrivals below it that will ever be visible are therefore visible, and only they are moved to `ordered_events`, whose
 * rows are the queue of each key. Only the first event of a key is claimed.
 *
 * `lockOrder` serializes moving and claiming. Moving skips rows that other transactions are writing, which are never
 * below the bound, and no claim reads a partial move. Only the product writes to `ordered_events`, so a claim never
 * waits for a transaction of a user.
 *
 * - A delivered or archived event leaves the queue of its key. A failed event stays as `failed`: with `on_error: hold`,
 *   later events wait for it.
 * - A redelivered event returns to its position and stores the id of the event in flight with the same key, for which
 *   it waits.
 */

const catalog = "engine_catalog";
const log = `${catalog}.event_log`;

/** Error number if another instance holds the lock below. */
const orderHeld = 51_223;

/** Serializes ordering until the transaction ends. */
export const lockOrder = `exec sys.sp_getapplock @Resource = N'engine_catalog.ordered_events', @LockMode = N'Exclusive', @LockOwner = N'Transaction', @LockTimeout = 5000;
if applock_mode(N'public', N'engine_catalog.ordered_events', N'Transaction') <> N'Exclusive'
begin throw ${orderHeld}, N'another instance is ordering events', 1; end`;

const open = (event: string): string => `${event}.delivered = 0 and ${event}.error = 0 and ${event}.archived = 0`;

/** Hashes a key as recorders do, because an index entry has a limited length. */
const keyHash = (key: string): string => `cast(hashbytes('SHA2_256', ${key}) as binary(32))`;

/**
 * Deletes the ordering rows of some triggers.
 * @param triggers condition on a trigger name
 */
export function deleteOrderedRows(triggers: string): string {
  return `delete o from ${catalog}.ordered_events as o where o.trigger_name ${triggers};
delete a from ${catalog}.ordered_arrivals as a with (readpast, rowlock) where a.trigger_name ${triggers}`;
}

const putInOrder = `declare @bound binary(8) = min_active_rowversion();
declare @arrived table (
  event_id uniqueidentifier not null primary key, trigger_name nvarchar(400) not null, ordering_key binary(32) not null,
  arrival binary(8) not null
);
with arriving as (
  select top (10000) a.arrival, a.event_id, a.trigger_name, a.ordering_key
  from ${catalog}.ordered_arrivals as a with (readpast, rowlock)
  where a.arrival < @bound
  order by a.arrival
)
delete from arriving
output deleted.event_id, deleted.trigger_name, deleted.ordering_key, deleted.arrival into @arrived (event_id, trigger_name, ordering_key, arrival);
insert into ${catalog}.ordered_events (failed, trigger_name, ordering_key, place, event_id)
select 0, a.trigger_name, a.ordering_key, cast(a.arrival as bigint), a.event_id from @arrived as a;
update l set ordering_number = cast(a.arrival as bigint) from ${log} as l join @arrived as a on a.event_id = l.id`;

/** Reads the parameters, which are JSON arrays. */
const requestedLanes = `declare @requested table (
  trigger_name nvarchar(400) not null primary key, most int not null, behind varbinary(32) not null, hold bit not null
);
insert into @requested (trigger_name, most, behind, hold)
select n.[value], cast(c.[value] as int),
  case when a.[value] = N'' then cast('' as varbinary(32)) else convert(varbinary(32), cast(a.[value] as varchar(66)), 1) end,
  case when h.[value] = N'true' then 1 else 0 end
from openjson(@p2) as n
join openjson(@p3) as c on c.[key] = n.[key]
join openjson(@p4) as a on a.[key] = n.[key]
join openjson(@p5) as h on h.[key] = n.[key]`;

/**
 * Finds the first event of each key, at a cost proportional to its number of events. Rows of events that users deleted
 * from the log are removed, so that they do not block their keys.
 */
const heads = `declare @heads table (
  trigger_name nvarchar(400) not null, ordering_key binary(32) not null, place bigint not null, step int not null,
  primary key (trigger_name, ordering_key)
);
insert into @heads (trigger_name, ordering_key, place, step)
select a.trigger_name, k.ordering_key, k.place, row_number() over (partition by a.trigger_name order by k.ordering_key)
from @requested as a
cross apply (
  select top (cast(@p6 as int)) o.ordering_key, min(o.place) as place
  from ${catalog}.ordered_events as o
  where o.failed = 0 and o.trigger_name = a.trigger_name and o.ordering_key > a.behind
  group by o.ordering_key
  order by o.ordering_key
) as k;
delete o from ${catalog}.ordered_events as o
join @heads as k on k.trigger_name = o.trigger_name and k.ordering_key = o.ordering_key and k.place = o.place
where o.failed = 0 and not exists (select 1 from ${log} as l where l.id = o.event_id and ${open("l")})`;

/** Selects the first events that may be claimed now, numbered within their triggers. */
const free = `declare @free table (
  id uniqueidentifier not null primary key, trigger_name nvarchar(400) not null, ordering_key binary(32) not null,
  turn int not null, most int not null
);
insert into @free (id, trigger_name, ordering_key, turn, most)
select l.id, k.trigger_name, k.ordering_key, row_number() over (partition by k.trigger_name order by k.step), a.most
from @heads as k
join @requested as a on a.trigger_name = k.trigger_name
join ${catalog}.ordered_events as o on o.failed = 0 and o.trigger_name = k.trigger_name
  and o.ordering_key = k.ordering_key and o.place = k.place
join ${log} as l on l.id = o.event_id
where ${open("l")} and l.locked is null and (l.next_retry_at is null or l.next_retry_at <= sysdatetimeoffset())
  and not exists (select 1 from ${log} as w where w.id = l.ordering_waits_for and w.locked is not null)
  and (a.hold = 0 or not exists (
    select 1 from ${catalog}.ordered_events as f
    where f.failed = 1 and f.trigger_name = k.trigger_name and f.ordering_key = k.ordering_key and f.place < k.place
  ))`;

// The shared lock on the instance's row makes its removal wait for the end of this transaction and see its locks.
const taking = `declare @taken table (id uniqueidentifier not null primary key);
update l set locked = sysdatetimeoffset(), locked_by = cast(@p1 as uniqueidentifier)
output inserted.id into @taken (id)
from ${log} as l join @free as f on f.id = l.id
where f.turn <= f.most and ${open("l")} and l.locked is null and exists (
  select 1 from ${catalog}.engine_instances as i with (repeatableread, rowlock) where i.id = cast(@p1 as uniqueidentifier)
)`;

/** The key after which the next claim starts: the last key claimed or examined; null for the first key. */
const next = `convert(varchar(66), isnull(
  (select f.ordering_key from @free as f where f.trigger_name = a.trigger_name and f.turn = a.most and exists (
    select 1 from @free as further where further.trigger_name = a.trigger_name and further.turn > a.most)),
  (select k.ordering_key from @heads as k where k.trigger_name = a.trigger_name and k.step = cast(@p6 as int))
), 1)`;

/**
 * Returns the statement that claims ordered events.
 * @param eventColumns columns of a claimed event with the alias `l`
 */
export const takeOrdered = (eventColumns: string): string => `${lockOrder};
${putInOrder};
${requestedLanes};
${heads};
${free};
${taking};
select a.trigger_name, null, null,
  case when exists (select 1 from ${catalog}.ordered_arrivals as w with (readpast) where w.trigger_name = a.trigger_name) then 'true' else 'false' end,
  ${next}, null, null, null, null
from @requested as a
union all
select ${eventColumns}
from ${log} as l join @taken as t on t.id = l.id`;

/**
 * Updates the order after results have been written.
 * @param finished table variable with the ids and states of events
 */
export const finishOrdered = (finished: string): string => `delete o from ${catalog}.ordered_events as o
join ${finished} as f on f.id = o.event_id where f.state = 'delivered';
update o set failed = 1 from ${catalog}.ordered_events as o
join ${finished} as f on f.id = o.event_id where f.state = 'error'`;

/**
 * Returns events to their positions.
 * @param events table variable with their ids; the caller holds `lockOrder`
 */
export const replaceOrdered = (events: string): string => `update l set ordering_waits_for = (
  select top (1) u.id from ${catalog}.ordered_events as o join ${log} as u on u.id = o.event_id
  where o.failed = 0 and o.trigger_name = l.trigger_name and o.ordering_key = ${keyHash("l.ordering_key")}
    and ${open("u")} and u.locked is not null
  order by o.place
)
from ${log} as l join ${events} as d on d.id = l.id where l.ordered = 1;
delete o from ${catalog}.ordered_events as o join ${events} as d on d.id = o.event_id;
insert into ${catalog}.ordered_events (failed, trigger_name, ordering_key, place, event_id)
select 0, l.trigger_name, ${keyHash("l.ordering_key")}, l.ordering_number, l.id
from ${log} as l join ${events} as d on d.id = l.id where l.ordered = 1 and l.ordering_number is not null`;
