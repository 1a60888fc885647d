select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select distinct on (t1."author_id") t1."title" as "title"
    from "public"."book" t1
    order by t1."author_id" asc, t1."price" asc, t1."id" asc
  ) r
)::text;
