-- The tables that the query cases ask, with few rows: one of everything a statement depends on.
create table author (
  id integer primary key,
  name text not null,
  born date
);

create table shelf (
  floor integer,
  place integer,
  label text not null,
  primary key (floor, place)
);

create table book (
  id integer primary key,
  title text not null,
  published date,
  price numeric(8, 2) not null,
  genres text[] not null default '{}',
  details jsonb,
  author_id integer not null references author,
  translator_id integer references author,
  shelf_floor integer,
  shelf_place integer,
  foreign key (shelf_floor, shelf_place) references shelf
);

create table review (
  book_id integer references book,
  reader text,
  stars integer not null,
  hidden boolean not null default false,
  primary key (book_id, reader)
);

-- No key: nothing says that a name stands here once.
create table prize (
  author_name text not null,
  prize text not null
);

create table friend (
  reader text,
  friend text,
  primary key (reader, friend)
);

create table edition (
  id integer primary key,
  facts jsonb
);

-- A stand-in for pgvector: a type with its name, its text form and one of its operators for each case.
create type vector;
create function vector_in(cstring) returns vector language internal immutable strict as 'textin';
create function vector_out(vector) returns cstring language internal immutable strict as 'textout';
create type vector (input = vector_in, output = vector_out, like = text);
create function l2_distance(a vector, b vector) returns float8 language sql immutable strict as
  $$ select sqrt(sum((x - y) ^ 2))
     from unnest(translate($1::text, '[]', '{}')::float8[], translate($2::text, '[]', '{}')::float8[]) v(x, y) $$;
create function cosine_distance(a vector, b vector) returns float8 language sql immutable strict as
  $$ select 1 - sum(x * y) / sqrt(sum(x * x) * sum(y * y))
     from unnest(translate($1::text, '[]', '{}')::float8[], translate($2::text, '[]', '{}')::float8[]) v(x, y) $$;
create operator <-> (leftarg = vector, rightarg = vector, function = l2_distance);
create operator <=> (leftarg = vector, rightarg = vector, function = cosine_distance);

create table passage (
  id integer primary key,
  embedding vector
);

create function books_about(topic text, at_most numeric default null) returns setof book language sql stable as
  $$ select * from book where title ilike '%' || topic || '%' and price <= coalesce(at_most, price) $$;
-- Rows that no table has: the books of others as if author 1 had written them.
create function books_retold() returns setof book language sql stable as
  $$ select id, title, published, price, genres, details, 1, null::integer, shelf_floor, shelf_place from book where author_id > 1 $$;
create function book_headline(b book, mark text default ':') returns text language sql stable as
  $$ select b.title || mark || ' ' || b.price $$;
create function book_year(b book) returns integer language sql stable as
  $$ select extract(year from b.published)::integer $$;
create function author_cheap_books(a author, below numeric) returns setof book language sql stable as
  $$ select * from book where author_id = a.id and price < below $$;

insert into author values (1, 'Ada', '1815-12-10'), (2, 'Jo', '1832-11-29'), (3, 'Zoe', null);
insert into shelf values (1, 1, 'A'), (1, 2, 'B'), (2, 1, 'C');
insert into book values
  (1, 'Engines', '1843-09-01', 12.50, '{science,notes}', '{"pages": 66, "tags": ["first", "notes"]}', 1, null, 1, 1),
  (2, 'Numbers', '1842-01-01', 8.00, '{science}', null, 1, 2, 1, 2),
  (3, 'Sisters', '1868-09-30', 9.90, '{novel}', '{"pages": 546}', 2, null, 2, 1),
  (4, 'More Sisters', null, 9.90, '{novel}', '{"pages": 400}', 2, null, null, null);
insert into review values
  (1, 'mia', 5, false), (1, 'noa', 4, true), (2, 'mia', 3, false), (3, 'noa', 5, false), (3, 'ole', 2, true);
insert into prize values ('Ada', 'Gold'), ('Jo', 'Silver');
insert into friend values ('mia', 'noa');
insert into passage values (1, '[1,0]'), (2, '[0,1]'), (3, '[1,1]'), (4, null);
insert into edition values
  (1, '{"pages": 66, "tags": ["first", "rare"], "size": {"w": 12, "h": 20.5}}'),
  (2, '{"pages": 546, "tags": []}'),
  (3, '["loose", {"pages": 1}, 7]'),
  (4, null);
