declare @result table (
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
from engine_catalog.event_log as l join @result as r on r.id = l.id and r.instance = l.locked_by;
insert into engine_catalog.event_invocation_logs (event_id, trigger_name, status, request, response)
select f.id, f.trigger_name, r.status, r.request, r.response
from @finished as f join @result as r on r.id = f.id
where r.request is not null;
insert into @states (id, state) select f.id, r.state from @finished as f join @result as r on r.id = f.id;
delete o from engine_catalog.ordered_events as o
join @states as f on f.id = o.event_id where f.state = 'delivered';
update o set failed = 1 from engine_catalog.ordered_events as o
join @states as f on f.id = o.event_id where f.state = 'error'
