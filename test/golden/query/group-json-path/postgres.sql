-- $1: "1"
-- $2: "{pages}"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."details" as "details"
    from "public"."book" t1
    where t1."id" = $1::int4
  ) r
)::text, (
  select coalesce(json_agg(r.*), '[]')
  from (
    select json_build_object('pages', t4.k1) as "key", json_build_object('count', t4.v1) as "aggregate"
    from (
      select t3.k1, count(*) as v1
      from (
        select (t2."details" #> $2::text[])::jsonb as k1
        from "public"."book" t2
      ) t3 group by t3.k1
    ) t4
    order by t4.k1 desc nulls last
  ) r
)::text;
