// Generated: change the metadata, not this file.
// From   query everything of collection app: role admin
// Slice  sha256:e4c9b21c

import {
  columnOf,
  constantValue,
  fromVariable,
  mssql,
  mssqlList,
  queryPlan,
  savedPlans,
  statement,
  value,
} from "engine/support";

/**
 * Plans of query everything of collection app for role admin.
 * The variables select one of them.
 */
export const plans = savedPlans({
  optional: ["since", "most", "codes"],
  conditions: ["prices"],
  plans: [
    {
      when: [{ since: "given", most: "given", codes: "given", prices: "true" }],
      plan: queryPlan({
        statements: [
          statement(
            "default",
            `select
  json_query(
    isnull(
      (
        select
          t1.[id] as [id],
          t1.[title] as [title],
          t1.[price] as [price],
          t1.[weight] as [weight],
          t1.[is_lent] as [is_lent],
          t1.[published_on] as [published_on],
          t1.[added_at] as [added_at],
          t1.[code] as [code],
          json_query(
            case when t2.[id] is not null then json_query(
              (select t2.[name] as [name] for json path, include_null_values, without_array_wrapper)
            ) end
          ) as [author]
        from [dbo].[book] t1
        left join [dbo].[author] t2 on t2.[id] = t1.[author_id]
        where (t1.[added_at] >= cast(@p1 as datetimeoffset))
          and (t1.[price] <= cast(@p2 as decimal(38, 12)))
          and (t1.[code] in (select cast([value] as uniqueidentifier) from openjson(@p3)))
        order by t1.[id] asc
        for json path, include_null_values
      ),
      N'[]'
    )
  ),
  json_query(
    (
      select json_query(
        (
          select
            a.v1 as [count],
            json_query(
              (select a.v2 as [title] for json path, include_null_values, without_array_wrapper)
            ) as [max]
          for json path, include_null_values, without_array_wrapper
        )
      ) as [aggregate]
      from (
        select count(*) as v1, max(t4.c1) as v2
        from (select t3.[title] as c1 from [dbo].[book] t3) t4
      ) a
      for json path, include_null_values, without_array_wrapper
    )
  )`,
            [
              value(
                fromVariable("since"),
                mssql("datetimeoffset"),
                "$.selectionSet.book.args.where.added_at._gte",
              ),
              value(
                fromVariable("most"),
                mssql("decimal", { cast: "decimal(8, 2)" }),
                "$.selectionSet.book.args.where.price._lte",
              ),
              value(
                fromVariable("codes"),
                mssqlList(mssql("uniqueidentifier")),
                "$.selectionSet.book.args.where.code._in",
              ),
            ],
          ),
        ],
        parts: [
          columnOf("book", { statement: 0, column: 0 }),
          columnOf("book_aggregate", { statement: 0, column: 1 }),
        ],
      }),
    },
    {
      when: [{ since: "given", most: "absent", codes: "given", prices: "true" }],
      plan: queryPlan({
        statements: [
          statement(
            "default",
            `select
  json_query(
    isnull(
      (
        select
          t1.[id] as [id],
          t1.[title] as [title],
          t1.[price] as [price],
          t1.[weight] as [weight],
          t1.[is_lent] as [is_lent],
          t1.[published_on] as [published_on],
          t1.[added_at] as [added_at],
          t1.[code] as [code],
          json_query(
            case when t2.[id] is not null then json_query(
              (select t2.[name] as [name] for json path, include_null_values, without_array_wrapper)
            ) end
          ) as [author]
        from [dbo].[book] t1
        left join [dbo].[author] t2 on t2.[id] = t1.[author_id]
        where (t1.[added_at] >= cast(@p1 as datetimeoffset))
          and (t1.[price] <= cast(@p2 as decimal(38, 12)))
          and (t1.[code] in (select cast([value] as uniqueidentifier) from openjson(@p3)))
        order by t1.[id] asc
        for json path, include_null_values
      ),
      N'[]'
    )
  ),
  json_query(
    (
      select json_query(
        (
          select
            a.v1 as [count],
            json_query(
              (select a.v2 as [title] for json path, include_null_values, without_array_wrapper)
            ) as [max]
          for json path, include_null_values, without_array_wrapper
        )
      ) as [aggregate]
      from (
        select count(*) as v1, max(t4.c1) as v2
        from (select t3.[title] as c1 from [dbo].[book] t3) t4
      ) a
      for json path, include_null_values, without_array_wrapper
    )
  )`,
            [
              value(
                fromVariable("since"),
                mssql("datetimeoffset"),
                "$.selectionSet.book.args.where.added_at._gte",
              ),
              value(
                constantValue(99.5),
                mssql("decimal", { cast: "decimal(8, 2)" }),
                "$.selectionSet.book.args.where.price._lte",
              ),
              value(
                fromVariable("codes"),
                mssqlList(mssql("uniqueidentifier")),
                "$.selectionSet.book.args.where.code._in",
              ),
            ],
          ),
        ],
        parts: [
          columnOf("book", { statement: 0, column: 0 }),
          columnOf("book_aggregate", { statement: 0, column: 1 }),
        ],
      }),
    },
    {
      when: [{ since: "given", most: "given", codes: "given", prices: "false" }],
      plan: queryPlan({
        statements: [
          statement(
            "default",
            `select
  json_query(
    isnull(
      (
        select
          t1.[id] as [id],
          t1.[title] as [title],
          t1.[weight] as [weight],
          t1.[is_lent] as [is_lent],
          t1.[published_on] as [published_on],
          t1.[added_at] as [added_at],
          t1.[code] as [code],
          json_query(
            case when t2.[id] is not null then json_query(
              (select t2.[name] as [name] for json path, include_null_values, without_array_wrapper)
            ) end
          ) as [author]
        from [dbo].[book] t1
        left join [dbo].[author] t2 on t2.[id] = t1.[author_id]
        where (t1.[added_at] >= cast(@p1 as datetimeoffset))
          and (t1.[price] <= cast(@p2 as decimal(38, 12)))
          and (t1.[code] in (select cast([value] as uniqueidentifier) from openjson(@p3)))
        order by t1.[id] asc
        for json path, include_null_values
      ),
      N'[]'
    )
  ),
  json_query(
    (
      select json_query(
        (
          select
            a.v1 as [count],
            json_query(
              (select a.v2 as [title] for json path, include_null_values, without_array_wrapper)
            ) as [max]
          for json path, include_null_values, without_array_wrapper
        )
      ) as [aggregate]
      from (
        select count(*) as v1, max(t4.c1) as v2
        from (select t3.[title] as c1 from [dbo].[book] t3) t4
      ) a
      for json path, include_null_values, without_array_wrapper
    )
  )`,
            [
              value(
                fromVariable("since"),
                mssql("datetimeoffset"),
                "$.selectionSet.book.args.where.added_at._gte",
              ),
              value(
                fromVariable("most"),
                mssql("decimal", { cast: "decimal(8, 2)" }),
                "$.selectionSet.book.args.where.price._lte",
              ),
              value(
                fromVariable("codes"),
                mssqlList(mssql("uniqueidentifier")),
                "$.selectionSet.book.args.where.code._in",
              ),
            ],
          ),
        ],
        parts: [
          columnOf("book", { statement: 0, column: 0 }),
          columnOf("book_aggregate", { statement: 0, column: 1 }),
        ],
      }),
    },
    {
      when: [{ since: "given", most: "absent", codes: "given", prices: "false" }],
      plan: queryPlan({
        statements: [
          statement(
            "default",
            `select
  json_query(
    isnull(
      (
        select
          t1.[id] as [id],
          t1.[title] as [title],
          t1.[weight] as [weight],
          t1.[is_lent] as [is_lent],
          t1.[published_on] as [published_on],
          t1.[added_at] as [added_at],
          t1.[code] as [code],
          json_query(
            case when t2.[id] is not null then json_query(
              (select t2.[name] as [name] for json path, include_null_values, without_array_wrapper)
            ) end
          ) as [author]
        from [dbo].[book] t1
        left join [dbo].[author] t2 on t2.[id] = t1.[author_id]
        where (t1.[added_at] >= cast(@p1 as datetimeoffset))
          and (t1.[price] <= cast(@p2 as decimal(38, 12)))
          and (t1.[code] in (select cast([value] as uniqueidentifier) from openjson(@p3)))
        order by t1.[id] asc
        for json path, include_null_values
      ),
      N'[]'
    )
  ),
  json_query(
    (
      select json_query(
        (
          select
            a.v1 as [count],
            json_query(
              (select a.v2 as [title] for json path, include_null_values, without_array_wrapper)
            ) as [max]
          for json path, include_null_values, without_array_wrapper
        )
      ) as [aggregate]
      from (
        select count(*) as v1, max(t4.c1) as v2
        from (select t3.[title] as c1 from [dbo].[book] t3) t4
      ) a
      for json path, include_null_values, without_array_wrapper
    )
  )`,
            [
              value(
                fromVariable("since"),
                mssql("datetimeoffset"),
                "$.selectionSet.book.args.where.added_at._gte",
              ),
              value(
                constantValue(99.5),
                mssql("decimal", { cast: "decimal(8, 2)" }),
                "$.selectionSet.book.args.where.price._lte",
              ),
              value(
                fromVariable("codes"),
                mssqlList(mssql("uniqueidentifier")),
                "$.selectionSet.book.args.where.code._in",
              ),
            ],
          ),
        ],
        parts: [
          columnOf("book", { statement: 0, column: 0 }),
          columnOf("book_aggregate", { statement: 0, column: 1 }),
        ],
      }),
    },
  ],
});
