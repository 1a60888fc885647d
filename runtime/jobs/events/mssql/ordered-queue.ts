/**
 * The order of events in SQL Server.
 *
 * A recorder writes a row into `ordered_arrivals` for each of its events. Its `rowversion` is drawn when the row is
 * written, from a counter of the database, by the transaction that also wrote the user's row: of two transactions that
 * write the same row, the later one to commit has the greater value. A transaction that has drawn a smaller value may
 * commit later; `MIN_ACTIVE_ROWVERSION` is the lowest value that such a transaction uses, "not yet committed", whatever
 * its isolation level is. So all arrivals below it that will ever be visible are visible, and they alone are put in
 * order: moved to `ordered_events`, whose rows are the queue of each key. Of it only the first event is taken.
 *
 * Moving and taking are for one instance at a time (`lockOrder`): whoever moves skips what others are writing, which is
 * never below the bound, and no look sees half of what another one moves. The rows of `ordered_events` have no other
 * writers than the product: a look waits for no transaction of a user.
 *
 * - An event that has been delivered or archived leaves the queue of its key. One that has failed stays, as `failed`:
 *   `on_error: hold` waits for those.
 * - One that is delivered again comes back to its place, and remembers which one of its key is under way, for which it
 *   waits.
 */

const catalog = "engine_catalog";
const log = `${catalog}.event_log`;

/** Of the error below. */
const orderHeld = 51_223;

/** Until the transaction ends. */
export const lockOrder = `exec sys.sp_getapplock @Resource = N'engine_catalog.ordered_events', @LockMode = N'Exclusive', @LockOwner = N'Transaction', @LockTimeout = 5000;
if applock_mode(N'public', N'engine_catalog.ordered_events', N'Transaction') <> N'Exclusive'
begin throw ${orderHeld}, N'another instance is putting events in order', 1; end`;

const open = (event: string): string => `${event}.delivered = 0 and ${event}.error = 0 and ${event}.archived = 0`;

/** What an index can hold of a key of any length, as recorders write it. */
const keyHash = (key: string): string => `cast(hashbytes('SHA2_256', ${key}) as binary(32))`;

/** @param triggers condition on a name */
export function forgetOrdered(triggers: string): string {
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

/** Lists are JSON arrays. */
const asked = `declare @asked table (
  trigger_name nvarchar(400) not null primary key, most int not null, behind varbinary(32) not null, hold bit not null
);
insert into @asked (trigger_name, most, behind, hold)
select n.[value], cast(c.[value] as int),
  case when a.[value] = N'' then cast('' as varbinary(32)) else convert(varbinary(32), cast(a.[value] as varchar(66)), 1) end,
  case when h.[value] = N'true' then 1 else 0 end
from openjson(@p2) as n
join openjson(@p3) as c on c.[key] = n.[key]
join openjson(@p4) as a on a.[key] = n.[key]
join openjson(@p5) as h on h.[key] = n.[key]`;

/** A look at a key costs as much as it has events. What somebody has deleted by hand keeps no key waiting. */
const heads = `declare @heads table (
  trigger_name nvarchar(400) not null, ordering_key binary(32) not null, place bigint not null, step int not null,
  primary key (trigger_name, ordering_key)
);
insert into @heads (trigger_name, ordering_key, place, step)
select a.trigger_name, k.ordering_key, k.place, row_number() over (partition by a.trigger_name order by k.ordering_key)
from @asked as a
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

/** Each first event that may be taken now, numbered within its trigger. */
const free = `declare @free table (
  id uniqueidentifier not null primary key, trigger_name nvarchar(400) not null, ordering_key binary(32) not null,
  turn int not null, most int not null
);
insert into @free (id, trigger_name, ordering_key, turn, most)
select l.id, k.trigger_name, k.ordering_key, row_number() over (partition by k.trigger_name order by k.step), a.most
from @heads as k
join @asked as a on a.trigger_name = k.trigger_name
join ${catalog}.ordered_events as o on o.failed = 0 and o.trigger_name = k.trigger_name
  and o.ordering_key = k.ordering_key and o.place = k.place
join ${log} as l on l.id = o.event_id
where ${open("l")} and l.locked is null and (l.next_retry_at is null or l.next_retry_at <= sysdatetimeoffset())
  and not exists (select 1 from ${log} as w where w.id = l.ordering_waits_for and w.locked is not null)
  and (a.hold = 0 or not exists (
    select 1 from ${catalog}.ordered_events as f
    where f.failed = 1 and f.trigger_name = k.trigger_name and f.ordering_key = k.ordering_key and f.place < k.place
  ))`;

// Who removes the instance waits until the transaction has ended, and then finds what it took.
const taking = `declare @taken table (id uniqueidentifier not null primary key);
update l set locked = sysdatetimeoffset(), locked_by = cast(@p1 as uniqueidentifier)
output inserted.id into @taken (id)
from ${log} as l join @free as f on f.id = l.id
where f.turn <= f.most and ${open("l")} and l.locked is null and exists (
  select 1 from ${catalog}.engine_instances as i with (repeatableread, rowlock) where i.id = cast(@p1 as uniqueidentifier)
)`;

/** Where to go on: behind the last key that was taken, or behind all that were looked at; null: from the beginning. */
const next = `convert(varchar(66), isnull(
  (select f.ordering_key from @free as f where f.trigger_name = a.trigger_name and f.turn = a.most and exists (
    select 1 from @free as further where further.trigger_name = a.trigger_name and further.turn > a.most)),
  (select k.ordering_key from @heads as k where k.trigger_name = a.trigger_name and k.step = cast(@p6 as int))
), 1)`;

/** @param eventColumns those of an event that has been taken, called `l` */
export const takeOrdered = (eventColumns: string): string => `${lockOrder};
${putInOrder};
${asked};
${heads};
${free};
${taking};
select a.trigger_name, null, null,
  case when exists (select 1 from ${catalog}.ordered_arrivals as w with (readpast) where w.trigger_name = a.trigger_name) then 'true' else 'false' end,
  ${next}, null, null, null
from @asked as a
union all
select ${eventColumns}
from ${log} as l join @taken as t on t.id = l.id`;

/** What results mean for the order. @param finished table variable with the ids and states of events */
export const finishOrdered = (finished: string): string => `delete o from ${catalog}.ordered_events as o
join ${finished} as f on f.id = o.event_id where f.state = 'delivered';
update o set failed = 1 from ${catalog}.ordered_events as o
join ${finished} as f on f.id = o.event_id where f.state = 'error'`;

/** Puts events back to their places. @param events table variable with their ids; nobody takes ordered events meanwhile */
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
