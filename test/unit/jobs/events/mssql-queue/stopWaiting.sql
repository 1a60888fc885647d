update engine_catalog.engine_instances set waiting = 0 where id = cast(@p1 as uniqueidentifier) and waiting = 1
