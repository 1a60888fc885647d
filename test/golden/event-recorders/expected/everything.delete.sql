create or alter trigger [dbo].[notify_engine_everything_DELETE] on [dbo].[invoice]
with execute as self
after delete as
-- definition efd4a894a8cb506a
begin
  set nocount on;
  insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload)
  select N'dbo', N'invoice', N'everything', (
    select N'DELETE' as [op],
      json_query((select
          old_row.[id] as [id],
          old_row.[branch] as [branch],
          old_row.[total] as [total],
          old_row.[note] as [note],
          cast(old_row.[details] as nvarchar(max)) as [details],
          old_row.[place].ToString() as [place]
        for json path, include_null_values, without_array_wrapper)) as [data.old],
      null as [data.new]
    for json path, include_null_values, without_array_wrapper
  )
  from deleted as old_row;
end
