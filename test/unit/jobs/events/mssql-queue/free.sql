update l set locked = null, locked_by = null
from engine_catalog.event_log as l where l.locked_by in (select cast(n.[value] as uniqueidentifier) from openjson(@p1) as n) and l.delivered = 0 and l.error = 0 and l.archived = 0
