create or alter trigger [dbo].[notify_engine_conditional_INSERT] on [dbo].[invoice]
with execute as self
after insert as
-- definition e9565166958b7b98
begin
  set nocount on;
  insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload)
  select N'dbo', N'invoice', N'conditional', (
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
  from inserted as new_row
  where new_row.[total] > cast(N'10' as decimal(38, 12)) and new_row.[note] = N'o''x';
end
