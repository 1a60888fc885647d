update l set locked = null, locked_by = null
from engine_catalog.event_log as l where l.locked < dateadd(minute, -30, sysdatetimeoffset()) and l.delivered = 0 and l.error = 0 and l.archived = 0
