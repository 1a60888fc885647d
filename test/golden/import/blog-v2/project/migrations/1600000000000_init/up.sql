create table author (id uuid primary key default hdb_catalog.gen_hasura_uuid(), name text not null);
create table post (
  id serial primary key,
  author_id uuid not null references author,
  title text not null
);
create function search_posts(search text) returns setof post language sql stable as $$
  select * from post where title ilike '%' || search || '%'
$$;
