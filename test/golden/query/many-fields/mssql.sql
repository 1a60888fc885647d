-- @p1: "1"
select json_query((
  select t1.[id] as [f0], t1.[id] as [f1], t1.[id] as [f2], t1.[id] as [f3], t1.[id] as [f4], t1.[id] as [f5], t1.[id] as [f6], t1.[id] as [f7], t1.[id] as [f8], t1.[id] as [f9], t1.[id] as [f10], t1.[id] as [f11], t1.[id] as [f12], t1.[id] as [f13], t1.[id] as [f14], t1.[id] as [f15], t1.[id] as [f16], t1.[id] as [f17], t1.[id] as [f18], t1.[id] as [f19], t1.[id] as [f20], t1.[id] as [f21], t1.[id] as [f22], t1.[id] as [f23], t1.[id] as [f24], t1.[id] as [f25], t1.[id] as [f26], t1.[id] as [f27], t1.[id] as [f28], t1.[id] as [f29], t1.[id] as [f30], t1.[id] as [f31], t1.[id] as [f32], t1.[id] as [f33], t1.[id] as [f34], t1.[id] as [f35], t1.[id] as [f36], t1.[id] as [f37], t1.[id] as [f38], t1.[id] as [f39], t1.[id] as [f40], t1.[id] as [f41], t1.[id] as [f42], t1.[id] as [f43], t1.[id] as [f44], t1.[id] as [f45], t1.[id] as [f46], t1.[id] as [f47], t1.[id] as [f48], t1.[id] as [f49], t1.[id] as [f50], t1.[id] as [f51], t1.[id] as [f52], t1.[id] as [f53], t1.[id] as [f54], t1.[id] as [f55], t1.[id] as [f56], t1.[id] as [f57], t1.[id] as [f58], t1.[id] as [f59]
  from [dbo].[book] t1
  where t1.[id] = cast(@p1 as int)
  for json path, include_null_values, without_array_wrapper
));
