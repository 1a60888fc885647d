-- $1: "2"
-- $2: "1"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."id" as "id", case when t2."id" is not null then json_build_object('name', t2."name") end as "author"
    from (
      select t1.*
      from "public"."book" t1
      order by t1."price" desc nulls last, t1."id" asc
      limit $1::int8
      offset $2::int8
    ) t1
    left join "public"."author" t2 on t2."id" = t1."author_id"
    order by t1."price" desc nulls last, t1."id" asc
  ) r
)::text;
