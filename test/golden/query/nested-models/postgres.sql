-- $1: "1"
-- $2: "5"
-- $3: "4"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."id" as "id", (
      select json_build_object('name', t2."name", 'titles', (
        select coalesce(json_agg(r.*), '[]')
        from (
          select t3."title" as "title"
          from (
            select r.*, e.n as "place in the list"
            from jsonb_array_elements(nullif(to_jsonb(t2."titles"), 'null')) with ordinality as e(v, n) cross join lateral jsonb_to_record(e.v) as r("title" text)
            where jsonb_typeof(e.v) = 'object'
          ) t3
          order by t3."place in the list"
          limit $1::int8
        ) r
      ))
      from (
        select r.*
        from (
          select nullif(to_jsonb(t1."maker"), 'null') as v
        ) d cross join lateral jsonb_to_record(d.v) as r("name" text, "titles" jsonb)
        where d.v is not null
      ) t2
      limit 1
    ) as "maker", (
      select coalesce(json_agg(r.*), '[]')
      from (
        select t4."reader" as "reader", t4."stars" as "stars"
        from (
          select r.*, e.n as "place in the list"
          from jsonb_array_elements(nullif(to_jsonb(t1."ratings"), 'null')) with ordinality as e(v, n) cross join lateral jsonb_to_record(e.v) as r("reader" text, "stars" integer)
          where jsonb_typeof(e.v) = 'object'
        ) t4
        where t4."stars" < $2::int4
        order by t4."stars" desc
      ) r
    ) as "ratings", (
      select coalesce(json_agg(r.*), '[]')
      from (
        select t5."reader" as "reader"
        from (
          select r.*, e.n as "place in the list"
          from jsonb_array_elements(nullif(to_jsonb(t1."ratings"), 'null')) with ordinality as e(v, n) cross join lateral jsonb_to_record(e.v) as r("reader" text, "stars" integer)
          where jsonb_typeof(e.v) = 'object'
        ) t5
        order by t5."place in the list"
      ) r
    ) as "all"
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
      where b.id <= ($3::int4)
    ) t1
    order by t1."id" asc
  ) r
)::text;
