select (
  select json_build_object('aggregate', json_build_object('avg', json_build_object('id', avg(t2.c1))))
  from (
    select t1."id" as c1
    from "public"."author" t1
  ) t2
)::text;
