create or alter trigger [dbo].[notify_engine_everything_UPDATE] on [dbo].[invoice]
with execute as self
after update as
-- definition 166a29d0101b18b5
begin
  set nocount on;
  insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload)
  select N'dbo', N'invoice', N'everything', (
    select N'UPDATE' as [op],
      json_query(case when old_row.[id] is null then null else (select
          old_row.[id] as [id],
          old_row.[branch] as [branch],
          old_row.[total] as [total],
          old_row.[note] as [note],
          cast(old_row.[details] as nvarchar(max)) as [details],
          old_row.[place].ToString() as [place]
        for json path, include_null_values, without_array_wrapper) end) as [data.old],
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
    left join deleted as old_row on old_row.[id] = new_row.[id] and old_row.[branch] = new_row.[branch]
  where exists (select old_row.[id], convert(varbinary(max), old_row.[branch]), old_row.[total], convert(varbinary(max), old_row.[note]), convert(varbinary(max), convert(nvarchar(max), old_row.[details])), old_row.[place] except select new_row.[id], convert(varbinary(max), new_row.[branch]), new_row.[total], convert(varbinary(max), new_row.[note]), convert(varbinary(max), convert(nvarchar(max), new_row.[details])), new_row.[place]);
end
