insert into engine_catalog.engine_instances (id) values (cast(@p1 as uniqueidentifier))
