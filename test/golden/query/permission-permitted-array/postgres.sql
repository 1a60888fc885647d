-- $1: "Ada"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."label" as "label"
    from "public"."shelf" t1
    where exists (
      select 1
      from "public"."book" r1
      where r1."shelf_floor" = t1."floor"
      and r1."shelf_place" = t1."place"
      and (exists (
        select 1
        from "public"."author" r2
        where r2."id" = r1."author_id"
        and (r2."name" = $1::text)
      ))
    )
    order by t1."label" asc
  ) r
)::text;
