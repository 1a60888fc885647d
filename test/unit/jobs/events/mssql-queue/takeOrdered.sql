exec sys.sp_getapplock @Resource = N'engine_catalog.ordered_events', @LockMode = N'Exclusive', @LockOwner = N'Transaction', @LockTimeout = 5000;
if applock_mode(N'public', N'engine_catalog.ordered_events', N'Transaction') <> N'Exclusive'
begin throw 51223, N'another instance is ordering events', 1; end;
declare @bound binary(8) = min_active_rowversion();
declare @arrived table (
  event_id uniqueidentifier not null primary key, trigger_name nvarchar(400) not null, ordering_key binary(32) not null,
  arrival binary(8) not null
);
with arriving as (
  select top (10000) a.arrival, a.event_id, a.trigger_name, a.ordering_key
  from engine_catalog.ordered_arrivals as a with (readpast, rowlock)
  where a.arrival < @bound
  order by a.arrival
)
delete from arriving
output deleted.event_id, deleted.trigger_name, deleted.ordering_key, deleted.arrival into @arrived (event_id, trigger_name, ordering_key, arrival);
insert into engine_catalog.ordered_events (failed, trigger_name, ordering_key, place, event_id)
select 0, a.trigger_name, a.ordering_key, cast(a.arrival as bigint), a.event_id from @arrived as a;
update l set ordering_number = cast(a.arrival as bigint) from engine_catalog.event_log as l join @arrived as a on a.event_id = l.id;
declare @requested table (
  trigger_name nvarchar(400) not null primary key, most int not null, behind varbinary(32) not null, hold bit not null
);
insert into @requested (trigger_name, most, behind, hold)
select n.[value], cast(c.[value] as int),
  case when a.[value] = N'' then cast('' as varbinary(32)) else convert(varbinary(32), cast(a.[value] as varchar(66)), 1) end,
  case when h.[value] = N'true' then 1 else 0 end
from openjson(@p2) as n
join openjson(@p3) as c on c.[key] = n.[key]
join openjson(@p4) as a on a.[key] = n.[key]
join openjson(@p5) as h on h.[key] = n.[key];
declare @heads table (
  trigger_name nvarchar(400) not null, ordering_key binary(32) not null, place bigint not null, step int not null,
  primary key (trigger_name, ordering_key)
);
insert into @heads (trigger_name, ordering_key, place, step)
select a.trigger_name, k.ordering_key, k.place, row_number() over (partition by a.trigger_name order by k.ordering_key)
from @requested as a
cross apply (
  select top (cast(@p6 as int)) o.ordering_key, min(o.place) as place
  from engine_catalog.ordered_events as o
  where o.failed = 0 and o.trigger_name = a.trigger_name and o.ordering_key > a.behind
  group by o.ordering_key
  order by o.ordering_key
) as k;
delete o from engine_catalog.ordered_events as o
join @heads as k on k.trigger_name = o.trigger_name and k.ordering_key = o.ordering_key and k.place = o.place
where o.failed = 0 and not exists (select 1 from engine_catalog.event_log as l where l.id = o.event_id and l.delivered = 0 and l.error = 0 and l.archived = 0);
declare @free table (
  id uniqueidentifier not null primary key, trigger_name nvarchar(400) not null, ordering_key binary(32) not null,
  turn int not null, most int not null
);
insert into @free (id, trigger_name, ordering_key, turn, most)
select l.id, k.trigger_name, k.ordering_key, row_number() over (partition by k.trigger_name order by k.step), a.most
from @heads as k
join @requested as a on a.trigger_name = k.trigger_name
join engine_catalog.ordered_events as o on o.failed = 0 and o.trigger_name = k.trigger_name
  and o.ordering_key = k.ordering_key and o.place = k.place
join engine_catalog.event_log as l on l.id = o.event_id
where l.delivered = 0 and l.error = 0 and l.archived = 0 and l.locked is null and (l.next_retry_at is null or l.next_retry_at <= sysdatetimeoffset())
  and not exists (select 1 from engine_catalog.event_log as w where w.id = l.ordering_waits_for and w.locked is not null)
  and (a.hold = 0 or not exists (
    select 1 from engine_catalog.ordered_events as f
    where f.failed = 1 and f.trigger_name = k.trigger_name and f.ordering_key = k.ordering_key and f.place < k.place
  ));
declare @taken table (id uniqueidentifier not null primary key);
update l set locked = sysdatetimeoffset(), locked_by = cast(@p1 as uniqueidentifier)
output inserted.id into @taken (id)
from engine_catalog.event_log as l join @free as f on f.id = l.id
where f.turn <= f.most and l.delivered = 0 and l.error = 0 and l.archived = 0 and l.locked is null and exists (
  select 1 from engine_catalog.engine_instances as i with (repeatableread, rowlock) where i.id = cast(@p1 as uniqueidentifier)
);
select a.trigger_name, null, null,
  case when exists (select 1 from engine_catalog.ordered_arrivals as w with (readpast) where w.trigger_name = a.trigger_name) then 'true' else 'false' end,
  convert(varchar(66), isnull(
  (select f.ordering_key from @free as f where f.trigger_name = a.trigger_name and f.turn = a.most and exists (
    select 1 from @free as further where further.trigger_name = a.trigger_name and further.turn > a.most)),
  (select k.ordering_key from @heads as k where k.trigger_name = a.trigger_name and k.step = cast(@p6 as int))
), 1), null, null, null, null
from @requested as a
union all
select l.trigger_name, lower(cast(l.id as varchar(36))), l.schema_name, l.table_name, l.payload,
  cast(l.tries as varchar(12)), convert(varchar(40), l.created_at, 127), json_query(l.payload, '$.trace_context'),
  cast(datediff_big(millisecond, l.created_at, sysdatetimeoffset()) / 1000.0 as varchar(40))
from engine_catalog.event_log as l join @taken as t on t.id = l.id
