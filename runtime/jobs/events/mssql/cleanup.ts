/** Event clean-up in a SQL Server source. Locked rows are left to the next batch or run. */
import type { CleanupStatements } from "../cleanup-statements.ts";

const runs = "engine_catalog.engine_event_log_cleanups";
const skipLocked = "with (updlock, readpast, rowlock)";
const runId = "cast(@p1 as uniqueidentifier)";

const deleteOld = `declare @old table (id uniqueidentifier not null primary key);
declare @events integer;
declare @invocations integer = 0;
with batch as (
  select top (cast(@p3 as bigint)) e.id
  from engine_catalog.event_log as e ${skipLocked}
  where e.trigger_name = @p1 and (e.delivered = 1 or e.error = 1) and e.locked is null
    and e.created_at < dateadd(hour, -cast(@p2 as integer), sysdatetimeoffset())
  order by e.created_at
)
delete from batch output deleted.id into @old (id);
set @events = @@rowcount;
delete from engine_catalog.ordered_events where event_id in (select o.id from @old as o);`;

const answer = "select cast(@events as varchar(20)) as events, cast(@invocations as varchar(20)) as invocations";

export const mssqlCleanup: CleanupStatements = {
  deleteEvents: `${deleteOld}
${answer}`,
  deleteWithInvocations: `${deleteOld}
delete from engine_catalog.event_invocation_logs where event_id in (select o.id from @old as o);
set @invocations = @@rowcount;
${answer}`,
  now: "select convert(varchar(40), sysutcdatetime(), 127) + 'Z' as now_utc",
  schedule: `declare @wanted table (due datetimeoffset(7) not null primary key);
insert into @wanted (due) select cast(w.value as datetimeoffset(7)) from openjson(@p2) as w;
delete from ${runs}
where trigger_name = @p1 and status = 'scheduled' and scheduled_at > sysdatetimeoffset()
  and scheduled_at not in (select w.due from @wanted as w);
declare @kept integer;
declare @last datetimeoffset(7);
select @kept = count(*), @last = max(r.scheduled_at) from ${runs} as r
where r.trigger_name = @p1 and r.status = 'scheduled' and r.scheduled_at in (select w.due from @wanted as w);
if @kept < 5
  insert into ${runs} (trigger_name, scheduled_at, status)
  select top (50) @p1, w.due, 'scheduled' from @wanted as w
  where (@last is null or w.due > @last)
    and not exists (
      select 1 as found from ${runs} as r with (updlock, holdlock)
      where r.trigger_name = @p1 and r.scheduled_at = w.due
    )
  order by w.due`,
  due: `select due.trigger_name, lower(cast(due.id as varchar(36))) as id from (
  select r.trigger_name, r.id, row_number() over (partition by r.trigger_name order by r.scheduled_at desc) as place
  from ${runs} as r
  where r.status = 'scheduled' and r.scheduled_at <= sysdatetimeoffset()
    and r.trigger_name in (select j.value from openjson(@p1) as j)
) as due
where due.place = 1`,
  skipOlder: `update older set status = 'dead'
from ${runs} as older ${skipLocked}
join ${runs} as newest on newest.trigger_name = older.trigger_name
where newest.id = ${runId} and older.status = 'scheduled' and older.scheduled_at < newest.scheduled_at`,
  end: `update ${runs} set status = @p2 where id = ${runId} and status = 'scheduled'`,
  claim: `select 1 as claimed from ${runs} as r ${skipLocked}
where r.id = ${runId} and r.status = 'scheduled'`,
  record: `update ${runs} set status = @p4,
  deleted_event_logs = coalesce(deleted_event_logs, 0) + cast(@p2 as integer),
  deleted_event_invocation_logs = coalesce(deleted_event_invocation_logs, 0) + cast(@p3 as integer)
where id = ${runId}`,
};
