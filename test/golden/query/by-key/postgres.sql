-- $1: "1"
select (
  select json_build_object('title', t1."title", 'author', case when t2."id" is not null then json_build_object('name', t2."name") end)
  from "public"."book" t1
  left join "public"."author" t2 on t2."id" = t1."author_id"
  where t1."id" = $1::int4
)::text;
