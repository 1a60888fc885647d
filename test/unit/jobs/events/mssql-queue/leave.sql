delete from engine_catalog.engine_instances where id in (select cast(n.[value] as uniqueidentifier) from openjson(@p1) as n)
