-- @p1: "[[1,\"2\",\"8\",\"9\"]]"
select v.n, q.*
from openjson(@p1) with (n int '$[0]', p1 nvarchar(max) '$[1]', p2 nvarchar(max) '$[2]', p3 nvarchar(max) '$[3]') v cross apply (
  select concat(N'[', string_agg(isnull(b.r, N'null'), N',') within group (order by b.n), N']') as c1, stuff(max(concat(right(concat(N'0000000000', b.n), 10), b.p)), 1, 10, N'') as c2
  from (
    select top (cast(v.p1 as bigint)) with ties json_query((
      select t1.[price] as [price], json_query(case when t2.[id] is not null then json_query((
        select t2.[name] as [name]
        for json path, include_null_values, without_array_wrapper
      )) end) as [author]
      for json path, include_null_values, without_array_wrapper
    )) as r, cast(t1.[price] as nvarchar(max)) as p, row_number() over (order by t1.[price] asc) as n
    from [dbo].[book] t1
    left join [dbo].[author] t2 on t2.[id] = t1.[author_id]
    where (t1.[price] > cast(v.p2 as decimal(38, 12)))
    and (t1.[id] < cast(v.p3 as int))
    order by t1.[price] asc
  ) b
  having count(*) > 0
) q;
