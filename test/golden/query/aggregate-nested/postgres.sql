-- $1: "10"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."name" as "name", (
      select json_build_object('aggregate', json_build_object('count', count(*), 'min', json_build_object('price', min(t3.c1))))
      from (
        select t2."price" as c1
        from "public"."book" t2
        where (t2."author_id" = t1."id")
        and (t2."price" < $1::numeric)
      ) t3
    ) as "books_aggregate"
    from "public"."author" t1
    order by t1."id" asc
  ) r
)::text;
