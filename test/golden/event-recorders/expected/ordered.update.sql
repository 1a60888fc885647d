create or alter trigger [dbo].[notify_engine_ordered_UPDATE] on [dbo].[invoice]
with execute as self
after update as
-- definition 0ad037374d05ba5b
begin
  set nocount on;
  insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload, ordered, ordering_key)
  output inserted.id, inserted.trigger_name, cast(hashbytes('SHA2_256', inserted.ordering_key) as binary(32))
    into engine_catalog.ordered_arrivals (event_id, trigger_name, ordering_key)
  select N'dbo', N'invoice', N'ordered', (
    select N'UPDATE' as [op],
      json_query((select
          old_row.[id] as [id]
        for json path, include_null_values, without_array_wrapper)) as [data.old],
      json_query((select
          new_row.[id] as [id]
        for json path, include_null_values, without_array_wrapper)) as [data.new]
    for json path, include_null_values, without_array_wrapper
  ), 1, (select new_row.[note] as [1], new_row.[id] as [2] for json path, include_null_values, without_array_wrapper)
  from inserted as new_row
    inner join deleted as old_row on old_row.[id] = new_row.[id] and old_row.[branch] = new_row.[branch]
  where exists (select old_row.[total] except select new_row.[total]);
end
