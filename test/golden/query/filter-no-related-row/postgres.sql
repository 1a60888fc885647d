select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."name" as "name"
    from "public"."author" t1
    where not (exists (
      select 1
      from "public"."book" t2
      where t2."author_id" = t1."id"
    ))
  ) r
)::text;
