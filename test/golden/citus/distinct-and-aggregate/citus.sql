select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select distinct on (t1."customer_id") t1."customer_id" as "customer_id", t1."id" as "id"
    from "public"."orders" t1
    order by t1."customer_id" asc, t1."tenant_id" asc, t1."id" asc
    offset 0
  ) r
)::text, (
  select json_build_object('aggregate', json_build_object('count', count(*), 'sum', json_build_object('amount', sum(t3.c1))), 'nodes', coalesce(json_agg(t3.c2), '[]'))
  from (
    select t2."amount" as c1, json_build_object('id', t2."id") as c2
    from "public"."orders" t2
    order by t2."tenant_id" asc, t2."id" asc
    offset 0
  ) t3
)::text;
