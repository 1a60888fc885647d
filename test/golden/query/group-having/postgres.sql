-- $1: "2"
-- $2: "1"
-- $3: "0"
-- $4: "4"
-- $5: "ole"
-- $6: "true"
-- $7: "2"
-- $8: "0"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select json_build_object('book_id', t3.k1) as "key", json_build_object('count', t3.v1, 'sum', json_build_object('stars', t3.v2)) as "aggregate"
    from (
      select t2.k1, count(*) as v1, sum(t2.c1) as v2, sum(t2.c1) as v3
      from (
        select t1."book_id" as k1, t1."stars" as c1, case when t1."stars" > $1::int4 then 1 end as c2, t1."reader" as c3, t1."hidden" as c4
        from "public"."review" t1
        where t1."stars" > $2::int4
      ) t2 group by t2.k1
      having (count(*) filter (where t2.c2 = 1) > $3::int4)
      and (((avg(t2.c1) >= $4::float8) or (max(t2.c3) = $5::text)))
      and (not (bool_and(t2.c4) = $6::bool))
    ) t3
    order by t3.v3 desc, t3.k1 asc
    limit $7::int8
    offset $8::int8
  ) r
)::text;
