-- $1: "mia"
-- $2: "1"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."book_id" as "book_id", t1."reader" as "reader"
    from "public"."review" t1
    where (t1."hidden" = 'false'::bool or t1."reader" = $1::text or exists (
      select 1
      from "public"."friend" friend_1
      where friend_1."reader" = $1::text
      and friend_1."friend" = t1."reader"
    ))
    and (t1."stars" > $2::int4)
    order by t1."book_id" asc, t1."reader" asc
  ) r
)::text;
