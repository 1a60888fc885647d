create or alter trigger [dbo].[notify_engine_ordered_INSERT] on [dbo].[invoice]
with execute as self
after insert as
-- definition 6320b533cd18ac2b
begin
  set nocount on;
  insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload, ordered, ordering_key)
  output inserted.id, inserted.trigger_name, cast(hashbytes('SHA2_256', inserted.ordering_key) as binary(32))
    into engine_catalog.ordered_arrivals (event_id, trigger_name, ordering_key)
  select N'dbo', N'invoice', N'ordered', (
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
  ), 1, (select new_row.[note] as [1], new_row.[id] as [2] for json path, include_null_values, without_array_wrapper)
  from inserted as new_row;
end
