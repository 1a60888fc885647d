-- $1: ""
-- $2: "1"
-- $3: "4"
-- $4: "; "
-- $5: "%o%"
-- $6: "100"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select json_build_object('book_id', t3.k1) as "key", json_build_object('bool_and', t3.v1, 'bool_or', t3.v2) as "aggregate"
    from (
      select t2.k1, bool_and(t2.c1) as v1, bool_or(t2.c1) as v2, count(*) filter (where t2.c6 = 1) as v3, bool_or(t2.c1) as v4, string_agg(t2.c4::text, $1::text order by t2.c3) as v5
      from (
        select t1."book_id" as k1, t1."hidden" as c1, case when t1."stars" > $2::int4 then 1 end as c2, row_number() over (order by t1."stars" desc) as c3, t1."reader" as c4, t1."stars" as c5, case when t1."stars" > $3::int4 then 1 end as c6
        from "public"."review" t1
      ) t2 group by t2.k1
      having (string_agg(t2.c4::text, $4::text order by t2.c3) filter (where t2.c2 = 1) like $5::text)
      and (var_pop(t2.c5) < $6::float8)
    ) t3
    order by t3.v3 desc, t3.v4 asc, t3.v5 desc nulls last, t3.k1 asc
  ) r
)::text;
