-- $1: "[0,1]"
-- $2: "0"
-- $3: "0.9"
-- $4: "[0.5,-0.001]"
-- $5: "2"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."id" as "id", t1."embedding"::text::json as "embedding"
    from "public"."passage" t1
    where (((t1."embedding" operator(public.<->) '[1,0]'::public.vector) < '1.2'::float8))
    and (((t1."embedding" operator(public.<=>) $1::public.vector) >= $2::float8 and (t1."embedding" operator(public.<=>) $1::public.vector) < $3::float8))
    order by t1."embedding" operator(public.<->) $4::public.vector asc, t1."id" asc
    limit $5::int8
  ) r
)::text;
