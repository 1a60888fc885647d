create or alter trigger [dbo].[notify_engine_not_replicated_DELETE] on [dbo].[invoice]
with execute as self
after delete not for replication as
-- definition d999fdf00f3f13dd
begin
  set nocount on;
  insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload)
  select N'dbo', N'invoice', N'not_replicated', (
    select N'DELETE' as [op],
      json_query((select
          old_row.[id] as [id]
        for json path, include_null_values, without_array_wrapper)) as [data.old],
      null as [data.new]
    for json path, include_null_values, without_array_wrapper
  )
  from deleted as old_row;
end
