create or alter trigger [dbo].[notify_engine_it's ]]; drop table [invoice]]; --_INSERT] on [dbo].[invoice]
with execute as self
after insert as
-- definition 8c26652578b7b53b
begin
  set nocount on;
  insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload)
  select N'dbo', N'invoice', N'it''s ]; drop table [invoice]; --', (
    select N'INSERT' as [op],
      null as [data.old],
      json_query((select
          new_row.[note] as [note]
        for json path, include_null_values, without_array_wrapper)) as [data.new]
    for json path, include_null_values, without_array_wrapper
  )
  from inserted as new_row;
end
