-- $1: "x"
select (
  select coalesce(json_agg(r.*), '[]')
  from (
    select t1."id" as "id", case when t2."id" is not null then json_build_object('text', t2."text", 'product', case when t5."id" is not null then json_build_object('name', t5."name") end) end as "note_of_product"
    from "public"."orders" t1
    left join (
      select t3.*
      from "public"."notes" t3
      where t3."id" in (
        select t1."product_id"
        from "public"."orders" t1
        where (t1."product_id" in (
          select t4."id"
          from "public"."notes" t4
          where (t4."id" is not null)
          and (t4."text" <> $1::text)
          offset 0
        )) is true
      )
      offset 0
    ) t2 on t2."id" = t1."product_id"
    left join "public"."products" t5 on t5."id" = t2."product_id"
    where (t1."product_id" in (
      select t4."id"
      from "public"."notes" t4
      where (t4."id" is not null)
      and (t4."text" <> $1::text)
      offset 0
    )) is true
    order by t2."text" desc, t1."tenant_id" asc, t1."id" asc
    offset 0
  ) r
)::text;
