delete o from engine_catalog.ordered_events as o where o.trigger_name in (select cast(n.[value] as nvarchar(400)) from openjson(@p1) as n);
delete a from engine_catalog.ordered_arrivals as a with (readpast, rowlock) where a.trigger_name in (select cast(n.[value] as nvarchar(400)) from openjson(@p1) as n);
update l set ordered = 0, ordering_key = null
from engine_catalog.event_log as l where l.trigger_name in (select cast(n.[value] as nvarchar(400)) from openjson(@p1) as n) and l.delivered = 0 and l.error = 0 and l.archived = 0 and l.ordered = 1
