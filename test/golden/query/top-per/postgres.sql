-- $1: "1"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."book_id" as "book_id", t1."reader" as "reader", t1."stars" as "stars"
    from (
      select g.*
      from (
        select t1.*, row_number() over (partition by t1."book_id" order by t1."stars" desc, t1."book_id" asc, t1."reader" asc) as "place in group"
        from "public"."review" t1
      ) g
      where g."place in group" <= $1::int8
    ) t1
    order by t1."stars" desc
  ) r
)::text;
