-- $1: "Ada"
select (
  select json_build_object('aggregate', json_build_object('count', count(*)))
  from (
    select 1 as c1
    from "public"."book" t1
    where exists (
      select 1
      from "public"."author" t2
      where (t2."id" = t1."author_id")
      and (t2."name" = $1::text)
    )
  ) t3
)::text;
