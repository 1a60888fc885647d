// Generated: change the metadata, not this file.
// From   query everything of collection app: role reader
// Slice  sha256:5162e860

import {
  columnOf,
  constantValue,
  fromVariable,
  jsonPathType,
  pg,
  pgList,
  queryPlan,
  savedPlans,
  statement,
  value,
} from "engine/support";

/**
 * Plans of query everything of collection app for role reader.
 * The variables select one of them.
 */
export const plans = savedPlans({
  optional: ["since", "most", "binding"],
  conditions: ["prices"],
  plans: [
    {
      when: [{ since: "given", most: "given", binding: "given", prices: "true" }],
      plan: queryPlan({
        statements: [
          statement(
            "default",
            `select
  (
    select coalesce(json_agg(r.*), '[]')
    from (
      select
        t1."id" as "id",
        t1."title" as "title",
        t1."price" as "price",
        t1."weight" as "weight",
        t1."is_lent" as "is_lent",
        t1."published_on" as "published_on",
        t1."added_at" as "added_at",
        t1."code" as "code",
        t1."tags" as "tags",
        t1."binding" as "binding",
        t1."notes" as "notes",
        t1."notes" #> $1::text[] as "first"
      from "public"."book" t1
      where (t1."added_at" >= $2::timestamptz)
        and (t1."price" <= $3::numeric)
        and (t1."binding" = any($4::public.binding[]))
    ) r
  )::text,
  (
    select json_build_object(
      'aggregate', json_build_object(
        'count', count(*),
        'avg', json_build_object('price', avg(t3.c1)),
        'max', json_build_object('title', max(t3.c2), 'added_at', max(t3.c3))
      )
    )
    from (select t2."price" as c1, t2."title" as c2, t2."added_at" as c3 from "public"."book" t2) t3
  )::text`,
            [
              value(
                constantValue("$[0]"),
                jsonPathType,
                "$.selectionSet.book.selectionSet.notes.args.path",
              ),
              value(
                fromVariable("since"),
                pg("timestamptz"),
                "$.selectionSet.book.args.where.added_at._gte",
              ),
              value(
                fromVariable("most"),
                pg("numeric"),
                "$.selectionSet.book.args.where.price._lte",
              ),
              value(
                fromVariable("binding"),
                pgList(pg("binding", { cast: "public.binding", category: "enum" })),
                "$.selectionSet.book.args.where.binding._in",
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
      when: [{ since: "given", most: "absent", binding: "given", prices: "true" }],
      plan: queryPlan({
        statements: [
          statement(
            "default",
            `select
  (
    select coalesce(json_agg(r.*), '[]')
    from (
      select
        t1."id" as "id",
        t1."title" as "title",
        t1."price" as "price",
        t1."weight" as "weight",
        t1."is_lent" as "is_lent",
        t1."published_on" as "published_on",
        t1."added_at" as "added_at",
        t1."code" as "code",
        t1."tags" as "tags",
        t1."binding" as "binding",
        t1."notes" as "notes",
        t1."notes" #> $1::text[] as "first"
      from "public"."book" t1
      where (t1."added_at" >= $2::timestamptz)
        and (t1."price" <= $3::numeric)
        and (t1."binding" = any($4::public.binding[]))
    ) r
  )::text,
  (
    select json_build_object(
      'aggregate', json_build_object(
        'count', count(*),
        'avg', json_build_object('price', avg(t3.c1)),
        'max', json_build_object('title', max(t3.c2), 'added_at', max(t3.c3))
      )
    )
    from (select t2."price" as c1, t2."title" as c2, t2."added_at" as c3 from "public"."book" t2) t3
  )::text`,
            [
              value(
                constantValue("$[0]"),
                jsonPathType,
                "$.selectionSet.book.selectionSet.notes.args.path",
              ),
              value(
                fromVariable("since"),
                pg("timestamptz"),
                "$.selectionSet.book.args.where.added_at._gte",
              ),
              value(
                constantValue(99.5),
                pg("numeric"),
                "$.selectionSet.book.args.where.price._lte",
              ),
              value(
                fromVariable("binding"),
                pgList(pg("binding", { cast: "public.binding", category: "enum" })),
                "$.selectionSet.book.args.where.binding._in",
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
      when: [{ since: "given", most: "given", binding: "given", prices: "false" }],
      plan: queryPlan({
        statements: [
          statement(
            "default",
            `select
  (
    select coalesce(json_agg(r.*), '[]')
    from (
      select
        t1."id" as "id",
        t1."title" as "title",
        t1."weight" as "weight",
        t1."is_lent" as "is_lent",
        t1."published_on" as "published_on",
        t1."added_at" as "added_at",
        t1."code" as "code",
        t1."tags" as "tags",
        t1."binding" as "binding",
        t1."notes" as "notes",
        t1."notes" #> $1::text[] as "first"
      from "public"."book" t1
      where (t1."added_at" >= $2::timestamptz)
        and (t1."price" <= $3::numeric)
        and (t1."binding" = any($4::public.binding[]))
    ) r
  )::text,
  (
    select json_build_object(
      'aggregate', json_build_object(
        'count', count(*),
        'avg', json_build_object('price', avg(t3.c1)),
        'max', json_build_object('title', max(t3.c2), 'added_at', max(t3.c3))
      )
    )
    from (select t2."price" as c1, t2."title" as c2, t2."added_at" as c3 from "public"."book" t2) t3
  )::text`,
            [
              value(
                constantValue("$[0]"),
                jsonPathType,
                "$.selectionSet.book.selectionSet.notes.args.path",
              ),
              value(
                fromVariable("since"),
                pg("timestamptz"),
                "$.selectionSet.book.args.where.added_at._gte",
              ),
              value(
                fromVariable("most"),
                pg("numeric"),
                "$.selectionSet.book.args.where.price._lte",
              ),
              value(
                fromVariable("binding"),
                pgList(pg("binding", { cast: "public.binding", category: "enum" })),
                "$.selectionSet.book.args.where.binding._in",
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
      when: [{ since: "given", most: "absent", binding: "given", prices: "false" }],
      plan: queryPlan({
        statements: [
          statement(
            "default",
            `select
  (
    select coalesce(json_agg(r.*), '[]')
    from (
      select
        t1."id" as "id",
        t1."title" as "title",
        t1."weight" as "weight",
        t1."is_lent" as "is_lent",
        t1."published_on" as "published_on",
        t1."added_at" as "added_at",
        t1."code" as "code",
        t1."tags" as "tags",
        t1."binding" as "binding",
        t1."notes" as "notes",
        t1."notes" #> $1::text[] as "first"
      from "public"."book" t1
      where (t1."added_at" >= $2::timestamptz)
        and (t1."price" <= $3::numeric)
        and (t1."binding" = any($4::public.binding[]))
    ) r
  )::text,
  (
    select json_build_object(
      'aggregate', json_build_object(
        'count', count(*),
        'avg', json_build_object('price', avg(t3.c1)),
        'max', json_build_object('title', max(t3.c2), 'added_at', max(t3.c3))
      )
    )
    from (select t2."price" as c1, t2."title" as c2, t2."added_at" as c3 from "public"."book" t2) t3
  )::text`,
            [
              value(
                constantValue("$[0]"),
                jsonPathType,
                "$.selectionSet.book.selectionSet.notes.args.path",
              ),
              value(
                fromVariable("since"),
                pg("timestamptz"),
                "$.selectionSet.book.args.where.added_at._gte",
              ),
              value(
                constantValue(99.5),
                pg("numeric"),
                "$.selectionSet.book.args.where.price._lte",
              ),
              value(
                fromVariable("binding"),
                pgList(pg("binding", { cast: "public.binding", category: "enum" })),
                "$.selectionSet.book.args.where.binding._in",
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
