-- $1: "{\"1\"}"
-- $2: "{\"21\"}"
-- $3: "{\"1\"}"
with t2 as (insert into "public"."orders" as t1 ("tenant_id", "id", "amount") select r.c1::int4, r.c2::int4, r.c3::numeric from unnest($1::text[], $2::text[], $3::text[]) as r(c1, c2, c3) returning t1.*)
select count(*)::text, coalesce(array_agg(t2."tenant_id"::text)::text, '{}'), coalesce(array_agg(t2."id"::text)::text, '{}'), coalesce(json_agg(json_build_array(t2."tenant_id", t2."id"))::text, '[]'), coalesce(array_agg(t2."tenant_id"::text)::text, '{}')
from t2;

-- $1: "{\"2\"}"
-- $2: "{\"22\"}"
-- $3: "{\"2\"}"
with t4 as (insert into "public"."orders" as t3 ("tenant_id", "id", "amount") select r.c1::int4, r.c2::int4, r.c3::numeric from unnest($1::text[], $2::text[], $3::text[]) as r(c1, c2, c3) returning t3.*)
select count(*)::text, coalesce(array_agg(t4."tenant_id"::text)::text, '{}'), coalesce(array_agg(t4."id"::text)::text, '{}'), coalesce(json_agg(json_build_array(t4."tenant_id", t4."id"))::text, '[]'), coalesce(array_agg(t4."tenant_id"::text)::text, '{}')
from t4;

-- $1: "{\"1\",\"2\",\"3\"}"
-- $2: "{\"1\",\"2\",\"3\"}"
-- $3: "{\"1\",\"1\",\"2\"}"
-- $4: "{\"21\",\"21\",\"22\"}"
with t6 as (insert into "public"."items" as t5 ("n", "product_id", "tenant_id", "order_id") select r.c1::int4, r.c2::int4, r.p1::int4, r.p2::int4 from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as r(c1, c2, p1, p2) returning t5.*)
select count(*)::text
from t6;

-- $1: "[[1, 21]]"
-- $2: "[[2, 22]]"
-- $3: "{1}"
-- $4: "{2}"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t7."tenant_id" as "tenant_id", t7."id" as "id", (
      select coalesce(json_agg(r.*), '[]')
      from (
        select t8."n" as "n", case when t9."id" is not null then json_build_object('name', t9."name") end as "product"
        from "public"."items" t8
        left join "public"."products" t9 on t9."id" = t8."product_id"
        where t8."tenant_id" = t7."tenant_id"
        and t8."order_id" = t7."id"
        order by t8."n" asc
        offset 0
      ) r
    ) as "items"
    from (
      select r.*, k.n as "place of the row"
      from "public"."orders" r join (
        select (e.v->>0)::int4 as k1, (e.v->>1)::int4 as k2, e.n
        from jsonb_array_elements($1::jsonb || $2::jsonb) with ordinality as e(v, n)
      ) k on r."tenant_id" = k.k1
      and r."id" = k.k2
      where r."tenant_id" = any ($3::int4[] || $4::int4[])
    ) t7
    order by t7."place of the row"
    offset 0
  ) r
)::text;
