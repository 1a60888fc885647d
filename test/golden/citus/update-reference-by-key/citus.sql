-- $1: "ax"
-- $2: "1"
with t2 as (update "public"."products" as t1 set "name" = $1::text where t1."id" = $2::int4 returning t1.*)
select count(*)::text, coalesce(json_agg(json_build_array(t2."id"))::text, '[]')
from t2;

-- $1: "[[1]]"
select (
  select json_build_object('id', t3."id", 'name', t3."name", 'country', case when t4."code" is not null then json_build_object('name', t4."name") end)
  from (
    select r.*, k.n as "place of the row"
    from "public"."products" r join (
      select (e.v->>0)::int4 as k1, e.n
      from jsonb_array_elements($1::jsonb) with ordinality as e(v, n)
    ) k on r."id" = k.k1
  ) t3
  left join "public"."countries" t4 on t4."code" = t3."country_code"
  limit 1
)::text;
