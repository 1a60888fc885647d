// Generated: change the metadata, not this file.
// From   query fatten of collection app: role editor
// Slice  sha256:5ffcb28e

import {
  constantValue,
  fromVariable,
  mssql,
  mutationPlan,
  notNull,
  savedPlans,
  sessionValue,
  value,
  write,
  writeOf,
  writeStep,
} from "engine/support";

/** Plans of query fatten of collection app for role editor. */
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
update t1
set [weight] = t1.[weight] + cast(@p1 as int)
output
  inserted.[id],
  inserted.[title],
  inserted.[price],
  inserted.[weight],
  inserted.[is_lent],
  inserted.[published_on],
  inserted.[added_at],
  inserted.[code],
  inserted.[secret],
  inserted.[author_id] into #engine_written
from [dbo].[book] t1
where (t1.[author_id] = cast(@p2 as int)) and (t1.[id] = cast(@p3 as bigint));
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
                constantValue(1),
                notNull(mssql("smallint")),
                "$.selectionSet.update_book_by_pk.args._inc.weight",
              ),
              sessionValue("x-engine-author-id"),
              value(
                fromVariable("id"),
                mssql("bigint"),
                "$.selectionSet.update_book_by_pk.args.pk_columns.id",
              ),
            ],
            "$",
            { setsUser: true },
          ),
        ],
        [{ step: 0, column: 0 }],
      ),
    ],
    parts: [writeOf("update_book_by_pk", { write: 0 })],
  }),
});
