select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."name" as "name", (
      select json_build_object('prize', t2."prize")
      from "public"."prize" t2
      where t2."author_name" = t1."name"
      limit 1
    ) as "prize"
    from "public"."author" t1
    order by t1."id" asc
  ) r
)::text;
