-- @p1: "1"
-- @p2: "2"
-- @p3: "9.5"
-- @p4: "%s"
-- @p5: "1"
set nocount on;
create table #engine_t1 ([id] int null, [title] nvarchar(200) collate database_default null, [price] decimal(8, 2) null);
declare @t1a1 int = cast(@p1 as int);
declare @t1a2 decimal(8, 2) = cast(null as decimal(38, 12));
insert into #engine_t1 ([id], [title], [price]) exec [dbo].[books_by] @author = @t1a1, @up_to = @t1a2;
set nocount on;
create table #engine_t3 ([id] int null, [title] nvarchar(200) collate database_default null, [price] decimal(8, 2) null);
declare @t3a1 int = cast(@p2 as int);
declare @t3a2 decimal(8, 2) = cast(@p3 as decimal(38, 12));
insert into #engine_t3 ([id], [title], [price]) exec [dbo].[books_by] @author = @t3a1, @up_to = @t3a2;
select json_query(isnull((
  select t2.[id] as [id], t2.[title] as [title], t2.[price] as [price]
  from #engine_t1 t2
  where t2.[title] like @p4
  order by t2.[price] desc
  for json path, include_null_values
), N'[]')), json_query(isnull((
  select t4.[id] as [id]
  from #engine_t3 t4
  for json path, include_null_values
), N'[]')), json_query((
  select t5.[name] as [name]
  from [dbo].[author] t5
  where t5.[id] = cast(@p5 as int)
  for json path, include_null_values, without_array_wrapper
));
