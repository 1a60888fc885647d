update engine_catalog.engine_instances set waiting = waiting where id = cast(@p1 as uniqueidentifier)
