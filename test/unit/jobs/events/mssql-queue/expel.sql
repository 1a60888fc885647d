declare @gone table (id uniqueidentifier not null);
delete from engine_catalog.engine_instances
output deleted.id into @gone
where id <> cast(@p1 as uniqueidentifier)
  and seen_at < dateadd(millisecond, -cast(cast(@p2 as float) * 1000 as int), sysdatetimeoffset());
select cast(g.id as varchar(36)) from @gone as g
