create or alter trigger [dbo].[notify_engine_everything_INSERT] on [dbo].[invoice]
with execute as self
after insert as
-- definition 9f809d2f8f2873dc
begin
  set nocount on;
  insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload)
  select N'dbo', N'invoice', N'everything', (
    select N'INSERT' as [op],
      null as [data.old],
      json_query((select
          new_row.[id] as [id],
          new_row.[branch] as [branch],
          new_row.[total] as [total],
          new_row.[note] as [note],
          cast(new_row.[details] as nvarchar(max)) as [details],
          new_row.[place].ToString() as [place]
        for json path, include_null_values, without_array_wrapper)) as [data.new]
    for json path, include_null_values, without_array_wrapper
  )
  from inserted as new_row;
end
