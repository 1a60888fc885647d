select json_query((
  select N'customerConnection' as [__typename], json_query((
    select cast(iif(1 = 0, 1, 0) as bit) as [hasNextPage]
    for json path, include_null_values, without_array_wrapper
  )) as [pageInfo]
  for json path, include_null_values, without_array_wrapper
));
