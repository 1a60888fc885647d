select json_query((
  select (
    select convert(varbinary(max), convert(varchar(max), concat(N'[1,"sales","order_line"', N',', cast(t1.[order_id] as nvarchar(max)), N',', cast(t1.[line] as nvarchar(max)), N']') collate Latin1_General_100_CI_AS_SC_UTF8)) as [*]
    for xml path(''), binary base64
  ) as [id], t1.[product] as [product]
  from [sales].[order_line] t1
  where (t1.[order_id] = cast(@p1 as bigint))
  and (t1.[line] = cast(@p2 as int))
  for json path, include_null_values, without_array_wrapper
));
