create table island (id int primary key, name text not null);
create function islands_named(start text) returns setof island
  language sql stable as $$ select * from island where starts_with(name, start) $$;
create function rename_island(island_id int, new_name text) returns setof island
  language sql volatile as $$ update island set name = new_name where id = island_id returning * $$;
