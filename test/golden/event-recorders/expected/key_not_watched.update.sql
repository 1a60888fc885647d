create or alter trigger [dbo].[notify_engine_key_not_watched_UPDATE] on [dbo].[invoice]
with execute as self
after update as
-- definition 0c876be77f8fe12a
begin
  set nocount on;
  insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload)
  select N'dbo', N'invoice', N'key_not_watched', (
    select N'UPDATE' as [op],
      json_query((select
          old_row.[id] as [id],
          old_row.[total] as [total]
        for json path, include_null_values, without_array_wrapper)) as [data.old],
      json_query((select
          new_row.[id] as [id],
          new_row.[total] as [total]
        for json path, include_null_values, without_array_wrapper)) as [data.new]
    for json path, include_null_values, without_array_wrapper
  )
  from inserted as new_row
    inner join deleted as old_row on old_row.[id] = new_row.[id] and old_row.[branch] = new_row.[branch]
  where exists (select old_row.[total], convert(varbinary(max), convert(nvarchar(max), old_row.[details])) except select new_row.[total], convert(varbinary(max), convert(nvarchar(max), new_row.[details])));
end
