/** Events and invocation logs of a SQL Server source. */

import type { CleanupStatements } from "../cleanup-statements.ts";
import type { EventLogStatements } from "../log-statements.ts";
import { lockOrder, replaceOrdered } from "./ordered-queue.ts";

const pending = "e.delivered = 0 and e.error = 0 and e.archived = 0";

const eventColumns = `e.id, e.schema_name, e.table_name, e.trigger_name, json_query(e.payload) as payload,
    e.delivered, e.error, e.tries, e.created_at, e.locked, e.next_retry_at, e.archived`;
const invocationColumns = `i.id, i.trigger_name, i.event_id, i.status as http_status,
    json_query(i.request) as request, json_query(i.response) as response, i.created_at`;

const asJson = "from (select 1 as one) as one for json path, include_null_values, without_array_wrapper";

// A text that is not a UUID matches no event.
const eventId = "try_cast(@p1 as uniqueidentifier)";

/** FETCH NEXT rejects 0 (error 10744). */
const hasLimit = "cast(@p2 as bigint) > 0";
const page =
  "offset (cast(@p3 as bigint)) rows fetch next (iif(cast(@p2 as bigint) = 0, 1, cast(@p2 as bigint))) rows only";

function newest(condition: string): string {
  return `select (
  select ${eventColumns}
  ${asJson}
) from engine_catalog.event_log as e
where e.trigger_name = @p1 and ${hasLimit}${condition}
  and (@p4 is null or e.created_at >= cast(@p4 as datetimeoffset(7)))
  and (@p5 is null or e.created_at < cast(@p5 as datetimeoffset(7)))
order by e.created_at desc
${page}`;
}

function invocations(condition: string): string {
  return `select (
  select ${invocationColumns}
  ${asJson}
) from engine_catalog.event_invocation_logs as i
where ${condition} and ${hasLimit}
order by i.created_at desc
${page}`;
}

/**
 * Returns the assignments that reset an event.
 * @param isOrdered the SQL parameter that is `true` for events delivered in order
 */
const asNew = (isOrdered: string): string => `delivered = 0, error = 0, tries = 0, locked = null, locked_by = null,
  ordered = case when ${isOrdered} = 'true' then ordered else 0 end`;

function reset(state: string): string {
  return `declare @done table (id uniqueidentifier not null, created_at datetimeoffset(7) not null);
with batch as (
  select top (cast(@p6 as bigint)) e.id, e.created_at, e.delivered, e.error, e.tries, e.locked, e.locked_by, e.ordered
  from engine_catalog.event_log as e with (updlock, readpast, rowlock)
  where e.trigger_name = @p1 and ${state} and e.archived = 0
    and (@p2 is null or e.created_at >= cast(@p2 as datetimeoffset(7)))
    and (@p3 is null or e.created_at < cast(@p3 as datetimeoffset(7)))
    and (@p4 is null or e.created_at > cast(@p4 as datetimeoffset(7))
      or (e.created_at = cast(@p4 as datetimeoffset(7)) and e.id > cast(@p5 as uniqueidentifier)))
  order by e.created_at, e.id
)
update batch set ${asNew("@p7")}
output inserted.id, inserted.created_at into @done (id, created_at);
${replaceOrdered("@done")};
select cast(counted.number as varchar(20)), convert(varchar(40), last.created_at, 127), cast(last.id as varchar(36))
from (select count(*) as number from @done) as counted
left join (select top (1) d.id, d.created_at from @done as d order by d.created_at desc, d.id desc) as last on 1 = 1`;
}

export const mssqlLogs: EventLogStatements = {
  installed: "select 1 as installed where object_id(N'engine_catalog.event_log') is not null",
  insertEvent: `declare @made table (id uniqueidentifier not null);
insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload)
output inserted.id into @made (id)
values (@p1, @p2, @p3, @p4);
select lower(cast(m.id as varchar(36))) as id from @made as m`,
  lockEvent: `select case when e.locked > dateadd(minute, -30, sysdatetimeoffset()) then 1 else 0 end as busy, e.trigger_name
from engine_catalog.event_log as e with (updlock, rowlock)
where e.id = ${eventId} and e.archived = 0`,
  stopOrder: lockOrder,
  resetEvent: `declare @done table (id uniqueidentifier not null primary key);
update engine_catalog.event_log set ${asNew("@p2")}
output inserted.id into @done (id)
where id = ${eventId};
${replaceOrdered("@done")}`,
  resetEvents: {
    error: reset("e.error = 1"),
    delivered: reset("e.delivered = 1"),
    both: reset("(e.delivered = 1 or e.error = 1)"),
  },
  events: {
    all: newest(""),
    pending: newest(`\n  and ${pending}`),
    processed: newest("\n  and (e.delivered = 1 or e.error = 1) and e.archived = 0"),
    delivered: newest("\n  and e.delivered = 1 and e.archived = 0"),
    error: newest("\n  and e.error = 1 and e.archived = 0"),
  },
  failedCounts: `select n.[value], cast(c.failed as varchar(12)) as failed
from openjson(@p1) as n
cross apply (
  select count(*) as failed from (
    select top (cast(@p4 as int)) l.id from engine_catalog.event_log as l
    where l.trigger_name = n.[value] and l.error = 1 and l.archived = 0
      and (@p2 is null or l.created_at >= cast(@p2 as datetimeoffset(7)))
      and (@p3 is null or l.created_at < cast(@p3 as datetimeoffset(7)))
  ) as e
) as c`,
  event: `select (
  select ${eventColumns}
  ${asJson}
) from engine_catalog.event_log as e
where e.id = ${eventId}`,
  invocationsOfTrigger: invocations("i.trigger_name = @p1"),
  invocationsOfEvent: invocations(`i.event_id = ${eventId}`),
};

/** Event clean-up in a SQL Server source. Locked rows are left to the next batch or run. */
const runs = "engine_catalog.engine_event_log_cleanups";
const skipLocked = "with (updlock, readpast, rowlock)";
const runId = "cast(@p1 as uniqueidentifier)";

const deleteOld = `declare @old table (id uniqueidentifier not null primary key, created_at datetimeoffset(7) not null);
declare @events integer;
declare @invocations integer = 0;
with batch as (
  select top (cast(@p3 as bigint)) e.id, e.created_at
  from engine_catalog.event_log as e ${skipLocked}
  where e.trigger_name = @p1 and (e.delivered = 1 or e.error = 1) and e.locked is null
    and e.created_at < dateadd(hour, -cast(@p2 as integer), sysdatetimeoffset())
    and e.created_at >= coalesce(cast(@p4 as datetimeoffset(7)), cast('0001-01-01' as datetimeoffset(7)))
  order by e.created_at
)
delete from batch output deleted.id, deleted.created_at into @old (id, created_at);
set @events = @@rowcount;
delete from engine_catalog.ordered_events where event_id in (select o.id from @old as o);`;

const answer = `select cast(@events as varchar(20)) as events, cast(@invocations as varchar(20)) as invocations,
  convert(varchar(40), (select max(o.created_at) from @old as o), 127) as last_created_at`;

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
