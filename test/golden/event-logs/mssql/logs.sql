-- installed
select 1 as installed where object_id(N'engine_catalog.event_log') is not null;

-- insertEvent
declare @made table (id uniqueidentifier not null);
insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload)
output inserted.id into @made (id)
values (@p1, @p2, @p3, @p4);
select lower(cast(m.id as varchar(36))) as id from @made as m;

-- lockEvent
select case when e.locked > dateadd(minute, -30, sysdatetimeoffset()) then 1 else 0 end as busy, e.trigger_name
from engine_catalog.event_log as e with (updlock, rowlock)
where e.id = try_cast(@p1 as uniqueidentifier) and e.archived = 0;

-- stopOrder
exec sys.sp_getapplock @Resource = N'engine_catalog.ordered_events', @LockMode = N'Exclusive', @LockOwner = N'Transaction', @LockTimeout = 5000;
if applock_mode(N'public', N'engine_catalog.ordered_events', N'Transaction') <> N'Exclusive'
begin throw 51223, N'another instance is ordering events', 1; end;

-- resetEvent
declare @done table (id uniqueidentifier not null primary key);
update engine_catalog.event_log set delivered = 0, error = 0, tries = 0, locked = null, locked_by = null,
  ordered = case when @p2 = 'true' then ordered else 0 end
output inserted.id into @done (id)
where id = try_cast(@p1 as uniqueidentifier);
update l set ordering_waits_for = (
  select top (1) u.id from engine_catalog.ordered_events as o join engine_catalog.event_log as u on u.id = o.event_id
  where o.failed = 0 and o.trigger_name = l.trigger_name and o.ordering_key = cast(hashbytes('SHA2_256', l.ordering_key) as binary(32))
    and u.delivered = 0 and u.error = 0 and u.archived = 0 and u.locked is not null
  order by o.place
)
from engine_catalog.event_log as l join @done as d on d.id = l.id where l.ordered = 1;
delete o from engine_catalog.ordered_events as o join @done as d on d.id = o.event_id;
insert into engine_catalog.ordered_events (failed, trigger_name, ordering_key, place, event_id)
select 0, l.trigger_name, cast(hashbytes('SHA2_256', l.ordering_key) as binary(32)), l.ordering_number, l.id
from engine_catalog.event_log as l join @done as d on d.id = l.id where l.ordered = 1 and l.ordering_number is not null;

-- resetEvents.error
declare @done table (id uniqueidentifier not null, created_at datetimeoffset(7) not null);
with batch as (
  select top (cast(@p6 as bigint)) e.id, e.created_at, e.delivered, e.error, e.tries, e.locked, e.locked_by, e.ordered
  from engine_catalog.event_log as e with (updlock, readpast, rowlock)
  where e.trigger_name = @p1 and e.error = 1 and e.archived = 0
    and (@p2 is null or e.created_at >= cast(@p2 as datetimeoffset(7)))
    and (@p3 is null or e.created_at < cast(@p3 as datetimeoffset(7)))
    and (@p4 is null or e.created_at > cast(@p4 as datetimeoffset(7))
      or (e.created_at = cast(@p4 as datetimeoffset(7)) and e.id > cast(@p5 as uniqueidentifier)))
  order by e.created_at, e.id
)
update batch set delivered = 0, error = 0, tries = 0, locked = null, locked_by = null,
  ordered = case when @p7 = 'true' then ordered else 0 end
output inserted.id, inserted.created_at into @done (id, created_at);
update l set ordering_waits_for = (
  select top (1) u.id from engine_catalog.ordered_events as o join engine_catalog.event_log as u on u.id = o.event_id
  where o.failed = 0 and o.trigger_name = l.trigger_name and o.ordering_key = cast(hashbytes('SHA2_256', l.ordering_key) as binary(32))
    and u.delivered = 0 and u.error = 0 and u.archived = 0 and u.locked is not null
  order by o.place
)
from engine_catalog.event_log as l join @done as d on d.id = l.id where l.ordered = 1;
delete o from engine_catalog.ordered_events as o join @done as d on d.id = o.event_id;
insert into engine_catalog.ordered_events (failed, trigger_name, ordering_key, place, event_id)
select 0, l.trigger_name, cast(hashbytes('SHA2_256', l.ordering_key) as binary(32)), l.ordering_number, l.id
from engine_catalog.event_log as l join @done as d on d.id = l.id where l.ordered = 1 and l.ordering_number is not null;
select cast(counted.number as varchar(20)), convert(varchar(40), last.created_at, 127), cast(last.id as varchar(36))
from (select count(*) as number from @done) as counted
left join (select top (1) d.id, d.created_at from @done as d order by d.created_at desc, d.id desc) as last on 1 = 1;

-- resetEvents.delivered
declare @done table (id uniqueidentifier not null, created_at datetimeoffset(7) not null);
with batch as (
  select top (cast(@p6 as bigint)) e.id, e.created_at, e.delivered, e.error, e.tries, e.locked, e.locked_by, e.ordered
  from engine_catalog.event_log as e with (updlock, readpast, rowlock)
  where e.trigger_name = @p1 and e.delivered = 1 and e.archived = 0
    and (@p2 is null or e.created_at >= cast(@p2 as datetimeoffset(7)))
    and (@p3 is null or e.created_at < cast(@p3 as datetimeoffset(7)))
    and (@p4 is null or e.created_at > cast(@p4 as datetimeoffset(7))
      or (e.created_at = cast(@p4 as datetimeoffset(7)) and e.id > cast(@p5 as uniqueidentifier)))
  order by e.created_at, e.id
)
update batch set delivered = 0, error = 0, tries = 0, locked = null, locked_by = null,
  ordered = case when @p7 = 'true' then ordered else 0 end
output inserted.id, inserted.created_at into @done (id, created_at);
update l set ordering_waits_for = (
  select top (1) u.id from engine_catalog.ordered_events as o join engine_catalog.event_log as u on u.id = o.event_id
  where o.failed = 0 and o.trigger_name = l.trigger_name and o.ordering_key = cast(hashbytes('SHA2_256', l.ordering_key) as binary(32))
    and u.delivered = 0 and u.error = 0 and u.archived = 0 and u.locked is not null
  order by o.place
)
from engine_catalog.event_log as l join @done as d on d.id = l.id where l.ordered = 1;
delete o from engine_catalog.ordered_events as o join @done as d on d.id = o.event_id;
insert into engine_catalog.ordered_events (failed, trigger_name, ordering_key, place, event_id)
select 0, l.trigger_name, cast(hashbytes('SHA2_256', l.ordering_key) as binary(32)), l.ordering_number, l.id
from engine_catalog.event_log as l join @done as d on d.id = l.id where l.ordered = 1 and l.ordering_number is not null;
select cast(counted.number as varchar(20)), convert(varchar(40), last.created_at, 127), cast(last.id as varchar(36))
from (select count(*) as number from @done) as counted
left join (select top (1) d.id, d.created_at from @done as d order by d.created_at desc, d.id desc) as last on 1 = 1;

-- resetEvents.both
declare @done table (id uniqueidentifier not null, created_at datetimeoffset(7) not null);
with batch as (
  select top (cast(@p6 as bigint)) e.id, e.created_at, e.delivered, e.error, e.tries, e.locked, e.locked_by, e.ordered
  from engine_catalog.event_log as e with (updlock, readpast, rowlock)
  where e.trigger_name = @p1 and (e.delivered = 1 or e.error = 1) and e.archived = 0
    and (@p2 is null or e.created_at >= cast(@p2 as datetimeoffset(7)))
    and (@p3 is null or e.created_at < cast(@p3 as datetimeoffset(7)))
    and (@p4 is null or e.created_at > cast(@p4 as datetimeoffset(7))
      or (e.created_at = cast(@p4 as datetimeoffset(7)) and e.id > cast(@p5 as uniqueidentifier)))
  order by e.created_at, e.id
)
update batch set delivered = 0, error = 0, tries = 0, locked = null, locked_by = null,
  ordered = case when @p7 = 'true' then ordered else 0 end
output inserted.id, inserted.created_at into @done (id, created_at);
update l set ordering_waits_for = (
  select top (1) u.id from engine_catalog.ordered_events as o join engine_catalog.event_log as u on u.id = o.event_id
  where o.failed = 0 and o.trigger_name = l.trigger_name and o.ordering_key = cast(hashbytes('SHA2_256', l.ordering_key) as binary(32))
    and u.delivered = 0 and u.error = 0 and u.archived = 0 and u.locked is not null
  order by o.place
)
from engine_catalog.event_log as l join @done as d on d.id = l.id where l.ordered = 1;
delete o from engine_catalog.ordered_events as o join @done as d on d.id = o.event_id;
insert into engine_catalog.ordered_events (failed, trigger_name, ordering_key, place, event_id)
select 0, l.trigger_name, cast(hashbytes('SHA2_256', l.ordering_key) as binary(32)), l.ordering_number, l.id
from engine_catalog.event_log as l join @done as d on d.id = l.id where l.ordered = 1 and l.ordering_number is not null;
select cast(counted.number as varchar(20)), convert(varchar(40), last.created_at, 127), cast(last.id as varchar(36))
from (select count(*) as number from @done) as counted
left join (select top (1) d.id, d.created_at from @done as d order by d.created_at desc, d.id desc) as last on 1 = 1;

-- events.all
select (
  select e.id, e.schema_name, e.table_name, e.trigger_name, json_query(e.payload) as payload,
    e.delivered, e.error, e.tries, e.created_at, e.locked, e.next_retry_at, e.archived
  from (select 1 as one) as one for json path, include_null_values, without_array_wrapper
) from engine_catalog.event_log as e
where e.trigger_name = @p1 and cast(@p2 as bigint) > 0
  and (@p4 is null or e.created_at >= cast(@p4 as datetimeoffset(7)))
  and (@p5 is null or e.created_at < cast(@p5 as datetimeoffset(7)))
order by e.created_at desc
offset (cast(@p3 as bigint)) rows fetch next (iif(cast(@p2 as bigint) = 0, 1, cast(@p2 as bigint))) rows only;

-- events.pending
select (
  select e.id, e.schema_name, e.table_name, e.trigger_name, json_query(e.payload) as payload,
    e.delivered, e.error, e.tries, e.created_at, e.locked, e.next_retry_at, e.archived
  from (select 1 as one) as one for json path, include_null_values, without_array_wrapper
) from engine_catalog.event_log as e
where e.trigger_name = @p1 and cast(@p2 as bigint) > 0
  and e.delivered = 0 and e.error = 0 and e.archived = 0
  and (@p4 is null or e.created_at >= cast(@p4 as datetimeoffset(7)))
  and (@p5 is null or e.created_at < cast(@p5 as datetimeoffset(7)))
order by e.created_at desc
offset (cast(@p3 as bigint)) rows fetch next (iif(cast(@p2 as bigint) = 0, 1, cast(@p2 as bigint))) rows only;

-- events.processed
select (
  select e.id, e.schema_name, e.table_name, e.trigger_name, json_query(e.payload) as payload,
    e.delivered, e.error, e.tries, e.created_at, e.locked, e.next_retry_at, e.archived
  from (select 1 as one) as one for json path, include_null_values, without_array_wrapper
) from engine_catalog.event_log as e
where e.trigger_name = @p1 and cast(@p2 as bigint) > 0
  and (e.delivered = 1 or e.error = 1) and e.archived = 0
  and (@p4 is null or e.created_at >= cast(@p4 as datetimeoffset(7)))
  and (@p5 is null or e.created_at < cast(@p5 as datetimeoffset(7)))
order by e.created_at desc
offset (cast(@p3 as bigint)) rows fetch next (iif(cast(@p2 as bigint) = 0, 1, cast(@p2 as bigint))) rows only;

-- events.delivered
select (
  select e.id, e.schema_name, e.table_name, e.trigger_name, json_query(e.payload) as payload,
    e.delivered, e.error, e.tries, e.created_at, e.locked, e.next_retry_at, e.archived
  from (select 1 as one) as one for json path, include_null_values, without_array_wrapper
) from engine_catalog.event_log as e
where e.trigger_name = @p1 and cast(@p2 as bigint) > 0
  and e.delivered = 1 and e.archived = 0
  and (@p4 is null or e.created_at >= cast(@p4 as datetimeoffset(7)))
  and (@p5 is null or e.created_at < cast(@p5 as datetimeoffset(7)))
order by e.created_at desc
offset (cast(@p3 as bigint)) rows fetch next (iif(cast(@p2 as bigint) = 0, 1, cast(@p2 as bigint))) rows only;

-- events.error
select (
  select e.id, e.schema_name, e.table_name, e.trigger_name, json_query(e.payload) as payload,
    e.delivered, e.error, e.tries, e.created_at, e.locked, e.next_retry_at, e.archived
  from (select 1 as one) as one for json path, include_null_values, without_array_wrapper
) from engine_catalog.event_log as e
where e.trigger_name = @p1 and cast(@p2 as bigint) > 0
  and e.error = 1 and e.archived = 0
  and (@p4 is null or e.created_at >= cast(@p4 as datetimeoffset(7)))
  and (@p5 is null or e.created_at < cast(@p5 as datetimeoffset(7)))
order by e.created_at desc
offset (cast(@p3 as bigint)) rows fetch next (iif(cast(@p2 as bigint) = 0, 1, cast(@p2 as bigint))) rows only;

-- failedCounts
select n.[value], cast(c.failed as varchar(12)) as failed
from openjson(@p1) as n
cross apply (
  select count(*) as failed from (
    select top (cast(@p4 as int)) l.id from engine_catalog.event_log as l
    where l.trigger_name = n.[value] and l.error = 1 and l.archived = 0
      and (@p2 is null or l.created_at >= cast(@p2 as datetimeoffset(7)))
      and (@p3 is null or l.created_at < cast(@p3 as datetimeoffset(7)))
  ) as e
) as c;

-- event
select (
  select e.id, e.schema_name, e.table_name, e.trigger_name, json_query(e.payload) as payload,
    e.delivered, e.error, e.tries, e.created_at, e.locked, e.next_retry_at, e.archived
  from (select 1 as one) as one for json path, include_null_values, without_array_wrapper
) from engine_catalog.event_log as e
where e.id = try_cast(@p1 as uniqueidentifier);

-- invocationsOfTrigger
select (
  select i.id, i.trigger_name, i.event_id, i.status as http_status,
    json_query(i.request) as request, json_query(i.response) as response, i.created_at
  from (select 1 as one) as one for json path, include_null_values, without_array_wrapper
) from engine_catalog.event_invocation_logs as i
where i.trigger_name = @p1 and cast(@p2 as bigint) > 0
order by i.created_at desc
offset (cast(@p3 as bigint)) rows fetch next (iif(cast(@p2 as bigint) = 0, 1, cast(@p2 as bigint))) rows only;

-- invocationsOfEvent
select (
  select i.id, i.trigger_name, i.event_id, i.status as http_status,
    json_query(i.request) as request, json_query(i.response) as response, i.created_at
  from (select 1 as one) as one for json path, include_null_values, without_array_wrapper
) from engine_catalog.event_invocation_logs as i
where i.event_id = try_cast(@p1 as uniqueidentifier) and cast(@p2 as bigint) > 0
order by i.created_at desc
offset (cast(@p3 as bigint)) rows fetch next (iif(cast(@p2 as bigint) = 0, 1, cast(@p2 as bigint))) rows only;
