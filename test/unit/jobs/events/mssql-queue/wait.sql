select cast(datediff_big(millisecond, sysdatetimeoffset(), min(e.due_at)) / 1000.0 as varchar(40))
from openjson(@p2) as n
cross apply (
  select top (1) l.next_retry_at as due_at from engine_catalog.event_log as l
  where l.trigger_name = n.[value] and l.delivered = 0 and l.error = 0 and l.archived = 0 and l.ordered = 0 and l.next_retry_at > sysdatetimeoffset()
  order by l.next_retry_at
) as e
where @p1 is not null
