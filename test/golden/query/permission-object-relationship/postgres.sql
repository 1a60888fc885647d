-- $1: "mia"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."reader" as "reader", case when t2."id" is not null then json_build_object('title', t2."title") end as "book"
    from "public"."review" t1
    left join "public"."book" t2 on (t2."id" = t1."book_id")
    and (t2."price" < '12'::numeric)
    where t1."hidden" = 'false'::bool
    or t1."reader" = $1::text
    or exists (
      select 1
      from "public"."friend" friend_1
      where friend_1."reader" = $1::text
      and friend_1."friend" = t1."reader"
    )
    order by t1."book_id" asc, t1."reader" asc
  ) r
)::text;
