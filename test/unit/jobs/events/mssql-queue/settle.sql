select 'settled' from engine_catalog.engine_instances as i with (xlock, rowlock, readpast)
where i.id = cast(@p1 as uniqueidentifier)
