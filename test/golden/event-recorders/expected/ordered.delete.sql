create or alter trigger [dbo].[notify_engine_ordered_DELETE] on [dbo].[invoice]
with execute as self
after delete as
-- definition 0e11e309822a3652
begin
  set nocount on;
  insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload, ordered, ordering_key)
  output inserted.id, inserted.trigger_name, cast(hashbytes('SHA2_256', inserted.ordering_key) as binary(32))
    into engine_catalog.ordered_arrivals (event_id, trigger_name, ordering_key)
  select N'dbo', N'invoice', N'ordered', (
    select N'DELETE' as [op],
      json_query((select
          old_row.[id] as [id]
        for json path, include_null_values, without_array_wrapper)) as [data.old],
      null as [data.new]
    for json path, include_null_values, without_array_wrapper
  ), 1, (select old_row.[note] as [1], old_row.[id] as [2] for json path, include_null_values, without_array_wrapper)
  from deleted as old_row;
end
