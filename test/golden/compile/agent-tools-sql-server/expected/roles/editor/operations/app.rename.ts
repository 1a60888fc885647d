// Generated: change the metadata, not this file.
// From   query rename of collection app: role editor
// Slice  sha256:e956e281

import {
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

/** Plans of query rename of collection app for role editor. */
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
set [title] = @p1
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
where (t1.[author_id] = cast(@p2 as int)) and (t1.[title] = @p3);
select
  json_query(
    isnull(
      (
        select t2.[id] as [id], t2.[title] as [title]
        from #engine_written t2
        for json path, include_null_values
      ),
      N'[]'
    )
  ),
  (select count(*) from #engine_written);
drop table #engine_written`,
            [
              value(
                fromVariable("to"),
                notNull(mssql("nvarchar")),
                "$.selectionSet.update_book.args._set.title",
              ),
              sessionValue("x-engine-author-id"),
              value(
                fromVariable("from"),
                mssql("nvarchar"),
                "$.selectionSet.update_book.args.where.title._eq",
              ),
            ],
            "$",
            { setsUser: true },
          ),
        ],
        [
          "{\"affected_rows\":",
          { sum: [{ step: 0, column: 1 }] },
          ",\"returning\":",
          { step: 0, column: 0 },
          "}",
        ],
      ),
    ],
    parts: [writeOf("update_book", { write: 0 })],
  }),
});
