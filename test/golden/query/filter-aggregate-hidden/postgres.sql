-- $1: ""
-- $2: "{1,2}"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."name" as "name"
    from "public"."author" t1
    where ((exists (
      select 1
      from "public"."book" book_1
      where book_1."author_id" = t1."id"
    )) or (true))
    and (exists (
      select 1
      from (
        select (case when t2."price" < '12'::numeric then t2."price" end) as c1
        from "public"."book" t2
        where (t2."author_id" = t1."id")
        and ((t2."genres" @> '{science}'::text[]) or (t2."price" < '12'::numeric))
        and (t2."title" <> $1::text)
      ) t3
      having count(distinct t3.c1) = any($2::int4[])
    ))
    order by t1."name" asc
  ) r
)::text;
