// Generated: change the metadata, not this file.
// From   query remove of collection app: role admin
// Slice  sha256:0fcc61aa

import {
  fromVariable,
  mssql,
  mutationPlan,
  savedPlans,
  value,
  write,
  writeOf,
  writeStep,
} from "engine/support";

/** Plans of query remove of collection app for role admin. */
export const plans = savedPlans({
  always: mutationPlan({
    writes: [
      write(
        "default",
        [
          writeStep(
            `set nocount on;
select
  [id],
  [title],
  [price],
  [weight],
  [is_lent],
  [published_on],
  [added_at],
  [code],
  [secret],
  [author_id] into #engine_written
from [dbo].[book]
where 1 = 0
union all
select
  [id],
  [title],
  [price],
  [weight],
  [is_lent],
  [published_on],
  [added_at],
  [code],
  [secret],
  [author_id]
from [dbo].[book]
where 1 = 0;
delete t1
output
  deleted.[id],
  deleted.[title],
  deleted.[price],
  deleted.[weight],
  deleted.[is_lent],
  deleted.[published_on],
  deleted.[added_at],
  deleted.[code],
  deleted.[secret],
  deleted.[author_id] into #engine_written
from [dbo].[book] t1
where t1.[id] = cast(@p1 as bigint);
select json_query(
  (
    select top (1) t2.[id] as [id]
    from #engine_written t2
    for json path, include_null_values, without_array_wrapper
  )
);
drop table #engine_written`,
            [
              value(
                fromVariable("id"),
                mssql("bigint"),
                "$.selectionSet.delete_book_by_pk.args.id",
              ),
            ],
            "$",
            { setsUser: true },
          ),
        ],
        [{ step: 0, column: 0 }],
      ),
    ],
    parts: [writeOf("delete_book_by_pk", { write: 0 })],
  }),
});
