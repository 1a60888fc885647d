update l set locked = null, locked_by = null
from engine_catalog.event_log as l where l.locked_by = cast(@p1 as uniqueidentifier)
  and l.id not in (select cast(n.[value] as uniqueidentifier) from openjson(@p2) as n) and l.delivered = 0 and l.error = 0 and l.archived = 0
