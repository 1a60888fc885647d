create or alter trigger [dbo].[notify_engine_conditional_UPDATE] on [dbo].[invoice]
with execute as self
after update as
-- definition 91cbcc2516c20a98
begin
  set nocount on;
  insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload)
  select N'dbo', N'invoice', N'conditional', (
    select N'UPDATE' as [op],
      json_query((select
          old_row.[id] as [id],
          old_row.[note] as [note]
        for json path, include_null_values, without_array_wrapper)) as [data.old],
      json_query((select
          new_row.[id] as [id],
          new_row.[note] as [note]
        for json path, include_null_values, without_array_wrapper)) as [data.new]
    for json path, include_null_values, without_array_wrapper
  )
  from inserted as new_row
    inner join deleted as old_row on old_row.[id] = new_row.[id] and old_row.[branch] = new_row.[branch]
  where (exists (select convert(varbinary(max), old_row.[note]) except select convert(varbinary(max), new_row.[note])))
    and ((old_row.[note] is null) or (new_row.[total] > cast(N'10' as decimal(38, 12)) and new_row.[note] = N'o''x'));
end
