select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."id" as "id", (case when t1."price" < '12'::numeric then t1."price" end) as "price", case when t2."id" is not null then json_build_object('name', t2."name") end as "author"
    from (
      select t1.*
      from "public"."book" t1
      where (t1."genres" @> '{science}'::text[])
      or (t1."price" < '12'::numeric)
      order by (case when t1."price" < '12'::numeric then t1."price" end) asc, t1."id" asc
      limit 2
    ) t1
    left join "public"."author" t2 on (t2."id" = t1."author_id")
    and ((exists (
      select 1
      from "public"."book" book_1
      where book_1."author_id" = t2."id"
    )) or (true))
    order by (case when t1."price" < '12'::numeric then t1."price" end) asc, t1."id" asc
  ) r
)::text;
