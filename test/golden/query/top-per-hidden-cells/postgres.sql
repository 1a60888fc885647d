-- $1: "1"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."title" as "title", (case when t1."price" < '12'::numeric then t1."price" end) as "price"
    from (
      select g.*
      from (
        select t1.*, row_number() over (partition by (case when t1."price" < '12'::numeric then t1."price" end) order by t1."title" asc, t1."id" asc) as "place in group"
        from "public"."book" t1
        where (t1."genres" @> '{science}'::text[])
        or (t1."price" < '12'::numeric)
      ) g
      where g."place in group" <= $1::int8
    ) t1
    order by t1."title" asc
    limit 2
  ) r
)::text;
