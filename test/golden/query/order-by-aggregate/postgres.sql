select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."name" as "name"
    from "public"."author" t1
    order by (
      select count(*)
      from "public"."book" t2
      where t2."author_id" = t1."id"
    ) desc, (
      select max(t3."price")
      from "public"."book" t3
      where t3."author_id" = t1."id"
    ) desc, t1."id" asc
  ) r
)::text;
