select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."stars" as "stars", case when t2."id" is not null then json_build_object('title', t2."title", 'author', case when t3."id" is not null then json_build_object('name', t3."name") end) end as "book"
    from "public"."review" t1
    left join "public"."book" t2 on t2."id" = t1."book_id"
    left join "public"."author" t3 on t3."id" = t2."author_id"
    order by t1."book_id" asc, t1."reader" asc
  ) r
)::text;
