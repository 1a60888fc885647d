/**
 * The event queue in SQL Server 2019. Batches of several statements run in a transaction at READ COMMITTED. Rows locked
 * by other claims are skipped (`readpast`); rows of this claim are locked when they are read (`updlock`). There are no
 * notifications of new events. `ordered-queue.ts` handles the order of events.
 */
import type { QueueStatements } from "../queue-statements.ts";
import { deleteOrderedRows, finishOrdered, takeOrdered } from "./ordered-queue.ts";

const log = "engine_catalog.event_log";
const instances = "engine_catalog.engine_instances";

const open = "l.delivered = 0 and l.error = 0 and l.archived = 0";

/** Selects the values of a JSON array. */
const among = (list: string, type: string): string => `select cast(n.[value] as ${type}) from openjson(${list}) as n`;

const eventColumns = `l.trigger_name, lower(cast(l.id as varchar(36))), l.schema_name, l.table_name, l.payload,
  cast(l.tries as varchar(12)), convert(varchar(40), l.created_at, 127), json_query(l.payload, '$.trace_context'),
  cast(datediff_big(millisecond, l.created_at, sysdatetimeoffset()) / 1000.0 as varchar(40))`;

// The lock on the instance's row makes its removal wait until this transaction ends and its locks are visible.
const take = `declare @due table (id uniqueidentifier not null primary key);
insert into @due (id)
select top (cast(@p4 as int)) e.id
from openjson(@p2) as n
join openjson(@p3) as c on c.[key] = n.[key]
cross apply (
  select top (cast(c.[value] as int)) l.id
  from ${log} as l with (updlock, readpast, rowlock)
  where l.trigger_name = n.[value] and ${open} and l.ordered = 0 and l.locked is null
    and (l.next_retry_at is null or l.next_retry_at <= sysdatetimeoffset())
  order by l.next_retry_at, l.created_at
) as e
where exists (
  select 1 from ${instances} as i with (repeatableread, rowlock) where i.id = cast(@p1 as uniqueidentifier)
);
update l set locked = sysdatetimeoffset(), locked_by = cast(@p1 as uniqueidentifier)
from ${log} as l join @due as d on d.id = l.id;
select ${eventColumns}
from ${log} as l join @due as d on d.id = l.id`;

const finish = `declare @result table (
  id uniqueidentifier not null primary key, instance uniqueidentifier not null, state varchar(10) not null,
  wait float not null, attempts int not null, status int null, request nvarchar(max) null, response nvarchar(max) null
);
insert into @result (id, instance, state, wait, attempts, status, request, response)
select r.id, r.instance, r.state, r.wait, r.attempts, r.status, r.request, r.response
from openjson(@p1) with (
  id uniqueidentifier '$.id', instance uniqueidentifier '$.instance', state varchar(10) '$.state', wait float '$.wait',
  attempts int '$.attempts', status int '$.status', request nvarchar(max) '$.request' as json,
  response nvarchar(max) '$.response' as json
) as r;
declare @finished table (id uniqueidentifier not null primary key, trigger_name nvarchar(850) not null);
declare @states table (id uniqueidentifier not null primary key, state varchar(10) not null);
update l set
  delivered = case when r.state = 'delivered' then 1 else 0 end,
  error = case when r.state = 'error' then 1 else 0 end,
  tries = case when l.tries < 2147483647 then l.tries + r.attempts else l.tries end,
  next_retry_at = case
    when r.wait > 0 then dateadd(second, cast(ceiling(r.wait) as int), sysdatetimeoffset())
    when r.state = 'free' then l.next_retry_at end,
  locked = null, locked_by = null
output inserted.id, inserted.trigger_name into @finished
from ${log} as l join @result as r on r.id = l.id and r.instance = l.locked_by;
insert into engine_catalog.event_invocation_logs (event_id, trigger_name, status, request, response)
select f.id, f.trigger_name, r.status, r.request, r.response
from @finished as f join @result as r on r.id = f.id
where r.request is not null;
insert into @states (id, state) select f.id, r.state from @finished as f join @result as r on r.id = f.id;
${finishOrdered("@states")}`;

export const mssqlQueue: QueueStatements = {
  enter: `insert into ${instances} (id) values (cast(@p1 as uniqueidentifier))`,
  renew: `declare @renewed table (id uniqueidentifier not null);
update ${instances} set seen_at = sysdatetimeoffset()
output inserted.id into @renewed
where id = cast(@p1 as uniqueidentifier);
select 'lives' from @renewed`,
  free: `update l set locked = null, locked_by = null
from ${log} as l where l.locked_by in (${among("@p1", "uniqueidentifier")}) and ${open}`,
  leave: `delete from ${instances} where id in (${among("@p1", "uniqueidentifier")})`,
  expel: `declare @gone table (id uniqueidentifier not null);
delete from ${instances}
output deleted.id into @gone
where id <> cast(@p1 as uniqueidentifier)
  and seen_at < dateadd(millisecond, -cast(cast(@p2 as float) * 1000 as int), sysdatetimeoffset());
select cast(g.id as varchar(36)) from @gone as g`,
  settle: `select 'settled' from ${instances} as i with (xlock, rowlock, readpast)
where i.id = cast(@p1 as uniqueidentifier)`,
  release: `update l set locked = null, locked_by = null
from ${log} as l where l.locked_by = cast(@p1 as uniqueidentifier)
  and l.id not in (${among("@p2", "uniqueidentifier")}) and ${open}`,
  freeStale: `update l set locked = null, locked_by = null
from ${log} as l where l.locked < dateadd(minute, -30, sysdatetimeoffset()) and ${open}`,
  take,
  takeOrdered: takeOrdered(eventColumns),
  finish,
  wait: `select cast(datediff_big(millisecond, sysdatetimeoffset(), min(e.due_at)) / 1000.0 as varchar(40))
from openjson(@p2) as n
cross apply (
  select top (1) l.next_retry_at as due_at from ${log} as l
  where l.trigger_name = n.[value] and ${open} and l.ordered = 0 and l.next_retry_at > sysdatetimeoffset()
  order by l.next_retry_at
) as e
where @p1 is not null`,
  stopWaiting: `update ${instances} set waiting = 0 where id = cast(@p1 as uniqueidentifier) and waiting = 1`,
  clearOrder: `${deleteOrderedRows(`in (${among("@p1", "nvarchar(400)")})`)};
update l set ordered = 0, ordering_key = null
from ${log} as l where l.trigger_name in (${among("@p1", "nvarchar(400)")}) and ${open} and l.ordered = 1`,
  backlog: `select n.[value], cast(w.waiting as varchar(12)),
  cast(datediff_big(millisecond, w.oldest, sysdatetimeoffset()) / 1000.0 as varchar(40))
from openjson(@p1) as n
cross apply (
  select count(*) as waiting, min(e.created_at) as oldest from (
    select top (cast(@p2 as int)) l.created_at from ${log} as l where l.trigger_name = n.[value] and ${open}
    order by l.next_retry_at, l.created_at
  ) as e
) as w`,
  list: (values) => JSON.stringify(values),
};
