-- Views: updatable, with check option, of joins, with INSTEAD OF triggers, materialised, and over other views.
create table item (id integer primary key, name text not null, price numeric, hidden boolean not null default false);
insert into item values (1, 'a', 1.5, false), (2, 'b', null, false), (3, 'c', 2, true);
create view visible_item as select * from item where not hidden with check option;
create view expression_item as select id, upper(name) as name, price * 2 as double_price from item;
create view item_count as select hidden, count(*) as n, sum(price) as total from item group by hidden;
create view nested_item as select id, name from visible_item where price is not null;
create materialized view stored_item as select id, name from item;
create view written_item as select id, name || '!' as name from item;
create function write_item() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then delete from item where id = old.id; return old; end if;
  insert into item (id, name) values (new.id, rtrim(new.name, '!'))
    on conflict (id) do update set name = excluded.name;
  return new;
end $$;
create trigger write_item instead of insert or update or delete on written_item for each row execute function write_item();
