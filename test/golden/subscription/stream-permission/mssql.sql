-- @p1: "[[1,\"10\",\"1\"]]"
select v.n, q.*
from openjson(@p1) with (n int '$[0]', p1 nvarchar(max) '$[1]', p2 nvarchar(max) '$[2]') v cross apply (
  select concat(N'[', string_agg(isnull(b.r, N'null'), N',') within group (order by b.n), N']') as c1, stuff(max(concat(right(concat(N'0000000000', b.n), 10), b.p)), 1, 10, N'') as c2
  from (
    select top (iif(cast(v.p1 as bigint) < 2, cast(v.p1 as bigint), 2)) with ties json_query((
      select t1.[id] as [id]
      for json path, include_null_values, without_array_wrapper
    )) as r, cast(t1.[id] as nvarchar(max)) as p, row_number() over (order by t1.[id] asc) as n
    from [dbo].[book] t1
    where (t1.[id] > cast(v.p2 as int))
    and (t1.[price] < cast(N'12' as decimal(38, 12)))
    order by t1.[id] asc
  ) b
  having count(*) > 0
) q;
