-- @p1: "1"
-- @p2: "5"
set nocount on;
create table #engine_t1 ([id] int null, [title] nvarchar(200) collate database_default null, [price] decimal(8, 2) null);
declare @t1a1 int = cast(@p1 as int);
declare @t1a2 decimal(8, 2) = cast(null as decimal(38, 12));
insert into #engine_t1 ([id], [title], [price]) exec [dbo].[books_by] @author = @t1a1, @up_to = @t1a2;
select json_query(isnull((
  select top (cast(@p2 as bigint)) N'priced_book' as [__typename], t2.[title] as [title]
  from #engine_t1 t2
  where t2.[price] < cast(N'12' as decimal(38, 12))
  for json path, include_null_values
), N'[]'));
