-- $1: "9"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."id" as "id", (
      select json_build_object('name', t2."name")
      from (
        select r.*
        from (
          select nullif(to_jsonb(t1."maker"), 'null') as v
        ) d cross join lateral jsonb_to_record(d.v) as r("name" text, "titles" jsonb)
        where d.v is not null
      ) t2
      where t2."name" = 'Ada'::text
      limit 1
    ) as "maker", (
      select coalesce(json_agg(r.*), '[]')
      from (
        select t3."stars" as "stars"
        from (
          select r.*, e.n as "place in the list"
          from jsonb_array_elements(nullif(to_jsonb(t1."ratings"), 'null')) with ordinality as e(v, n) cross join lateral jsonb_to_record(e.v) as r("reader" text, "stars" integer)
          where jsonb_typeof(e.v) = 'object'
        ) t3
        where t3."stars" > '2'::int4
        order by t3."place in the list"
      ) r
    ) as "ratings"
    from (
      select b.id, case when b.id <> 4 then json_build_object('name', a.name, 'titles', (
        select json_agg(json_build_object('title', o.title) order by o.id)
        from book o
        where o.author_id = a.id
      )) end as maker, (
        select json_agg(json_build_object('reader', r.reader, 'stars', r.stars) order by r.reader)
        from review r
        where r.book_id = b.id
      ) as ratings
      from book b join author a on a.id = b.author_id
      where b.id <= ($1::int4)
    ) t1
    where t1."id" < '3'::int4
    order by t1."id" asc
  ) r
)::text;
