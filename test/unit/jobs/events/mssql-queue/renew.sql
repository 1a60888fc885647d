declare @renewed table (id uniqueidentifier not null);
update engine_catalog.engine_instances set seen_at = sysdatetimeoffset()
output inserted.id into @renewed
where id = cast(@p1 as uniqueidentifier);
select 'lives' from @renewed
