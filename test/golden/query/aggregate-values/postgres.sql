select (
  select json_build_object('aggregate', json_build_object('count', count(t2.c1), 'different', count(distinct t2.c2), 'max', json_build_object('price', max(t2.c2), 'title', max(t2.c3)), 'avg', json_build_object('price', avg(t2.c2)), 'sum', json_build_object('year', sum(t2.c4))))
  from (
    select t1."translator_id" as c1, t1."price" as c2, t1."title" as c3, "public"."book_year"(t1.*) as c4
    from "public"."book" t1
  ) t2
)::text;
