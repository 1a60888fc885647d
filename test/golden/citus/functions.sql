create function order_label(o orders) returns text language sql stable as $$ select 'no. ' || o.id || ' of ' || o.tenant_id $$;
create function search_orders(minimum numeric) returns setof orders language sql stable as $$ select * from orders where amount >= minimum $$;
create function find_orders(minimum numeric) returns setof orders language plpgsql stable as $$ begin return query select * from orders o where o.amount >= minimum order by o.tenant_id, o.id; end $$;
create function order_total(o orders) returns bigint language plpgsql stable as $$ begin return (select sum(quantity) from items i where i.tenant_id = o.tenant_id and i.order_id = o.id); end $$;
