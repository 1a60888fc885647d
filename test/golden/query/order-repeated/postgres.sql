select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."id" as "id"
    from "public"."book" t1
    left join "public"."author" t2 on t2."id" = t1."author_id"
    order by t1."price" desc, t2."name" asc, t1."id" asc
  ) r
)::text;
