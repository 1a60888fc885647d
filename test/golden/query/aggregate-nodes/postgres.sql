-- $1: "3"
select (
  select json_build_object('aggregate', json_build_object('count', count(*)), 'nodes', coalesce(json_agg(t2.c1), '[]'))
  from (
    select json_build_object('title', t1."title", 'author', case when t3."id" is not null then json_build_object('name', t3."name") end) as c1
    from "public"."book" t1
    left join "public"."author" t3 on t3."id" = t1."author_id"
    order by t1."id" asc
    limit $1::int8
  ) t2
)::text;
