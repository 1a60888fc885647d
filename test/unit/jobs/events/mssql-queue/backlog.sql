select n.[value], cast(w.waiting as varchar(12)),
  cast(datediff_big(millisecond, w.oldest, sysdatetimeoffset()) / 1000.0 as varchar(40))
from openjson(@p1) as n
cross apply (
  select count(*) as waiting, min(e.created_at) as oldest from (
    select top (cast(@p2 as int)) l.created_at from engine_catalog.event_log as l where l.trigger_name = n.[value] and l.delivered = 0 and l.error = 0 and l.archived = 0
    order by l.next_retry_at, l.created_at
  ) as e
) as w
