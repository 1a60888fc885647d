-- deleteEvents
declare @old table (id uniqueidentifier not null primary key, created_at datetimeoffset(7) not null);
declare @events integer;
declare @invocations integer = 0;
with batch as (
  select top (cast(@p3 as bigint)) e.id, e.created_at
  from engine_catalog.event_log as e with (updlock, readpast, rowlock)
  where e.trigger_name = @p1 and (e.delivered = 1 or e.error = 1) and e.locked is null
    and e.created_at < dateadd(hour, -cast(@p2 as integer), sysdatetimeoffset())
    and e.created_at >= coalesce(cast(@p4 as datetimeoffset(7)), cast('0001-01-01' as datetimeoffset(7)))
  order by e.created_at
)
delete from batch output deleted.id, deleted.created_at into @old (id, created_at);
set @events = @@rowcount;
delete from engine_catalog.ordered_events where event_id in (select o.id from @old as o);
select cast(@events as varchar(20)) as events, cast(@invocations as varchar(20)) as invocations,
  convert(varchar(40), (select max(o.created_at) from @old as o), 127) as last_created_at;

-- deleteWithInvocations
declare @old table (id uniqueidentifier not null primary key, created_at datetimeoffset(7) not null);
declare @events integer;
declare @invocations integer = 0;
with batch as (
  select top (cast(@p3 as bigint)) e.id, e.created_at
  from engine_catalog.event_log as e with (updlock, readpast, rowlock)
  where e.trigger_name = @p1 and (e.delivered = 1 or e.error = 1) and e.locked is null
    and e.created_at < dateadd(hour, -cast(@p2 as integer), sysdatetimeoffset())
    and e.created_at >= coalesce(cast(@p4 as datetimeoffset(7)), cast('0001-01-01' as datetimeoffset(7)))
  order by e.created_at
)
delete from batch output deleted.id, deleted.created_at into @old (id, created_at);
set @events = @@rowcount;
delete from engine_catalog.ordered_events where event_id in (select o.id from @old as o);
delete from engine_catalog.event_invocation_logs where event_id in (select o.id from @old as o);
set @invocations = @@rowcount;
select cast(@events as varchar(20)) as events, cast(@invocations as varchar(20)) as invocations,
  convert(varchar(40), (select max(o.created_at) from @old as o), 127) as last_created_at;

-- now
select convert(varchar(40), sysutcdatetime(), 127) + 'Z' as now_utc;

-- schedule
declare @wanted table (due datetimeoffset(7) not null primary key);
insert into @wanted (due) select cast(w.value as datetimeoffset(7)) from openjson(@p2) as w;
delete from engine_catalog.engine_event_log_cleanups
where trigger_name = @p1 and status = 'scheduled' and scheduled_at > sysdatetimeoffset()
  and scheduled_at not in (select w.due from @wanted as w);
declare @kept integer;
declare @last datetimeoffset(7);
select @kept = count(*), @last = max(r.scheduled_at) from engine_catalog.engine_event_log_cleanups as r
where r.trigger_name = @p1 and r.status = 'scheduled' and r.scheduled_at in (select w.due from @wanted as w);
if @kept < 5
  insert into engine_catalog.engine_event_log_cleanups (trigger_name, scheduled_at, status)
  select top (50) @p1, w.due, 'scheduled' from @wanted as w
  where (@last is null or w.due > @last)
    and not exists (
      select 1 as found from engine_catalog.engine_event_log_cleanups as r with (updlock, holdlock)
      where r.trigger_name = @p1 and r.scheduled_at = w.due
    )
  order by w.due;

-- due
select due.trigger_name, lower(cast(due.id as varchar(36))) as id from (
  select r.trigger_name, r.id, row_number() over (partition by r.trigger_name order by r.scheduled_at desc) as place
  from engine_catalog.engine_event_log_cleanups as r
  where r.status = 'scheduled' and r.scheduled_at <= sysdatetimeoffset()
    and r.trigger_name in (select j.value from openjson(@p1) as j)
) as due
where due.place = 1;

-- skipOlder
update older set status = 'dead'
from engine_catalog.engine_event_log_cleanups as older with (updlock, readpast, rowlock)
join engine_catalog.engine_event_log_cleanups as newest on newest.trigger_name = older.trigger_name
where newest.id = cast(@p1 as uniqueidentifier) and older.status = 'scheduled' and older.scheduled_at < newest.scheduled_at;

-- end
update engine_catalog.engine_event_log_cleanups set status = @p2 where id = cast(@p1 as uniqueidentifier) and status = 'scheduled';

-- claim
select 1 as claimed from engine_catalog.engine_event_log_cleanups as r with (updlock, readpast, rowlock)
where r.id = cast(@p1 as uniqueidentifier) and r.status = 'scheduled';

-- record
update engine_catalog.engine_event_log_cleanups set status = @p4,
  deleted_event_logs = coalesce(deleted_event_logs, 0) + cast(@p2 as integer),
  deleted_event_invocation_logs = coalesce(deleted_event_invocation_logs, 0) + cast(@p3 as integer)
where id = cast(@p1 as uniqueidentifier);
