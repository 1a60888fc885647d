-- $1: "e"
-- $2: "10"
select f1.v::text
from (
  select json_build_object('aggregate', json_build_object('count', count(*)))
  from (
    select 1 as c1
    from "public"."books_about"($1::text, $2::numeric) t1
  ) t2
) f1(v);
