create table author (
  id int primary key,
  name text not null
);
comment on table author is 'People who write books.';

create type binding as enum ('paper', 'cloth');

create table book (
  id bigint primary key generated always as identity,
  author_id int not null references author,
  title text not null unique,
  price numeric,
  weight real not null,
  is_lent boolean not null default false,
  published_on date,
  added_at timestamptz not null default now(),
  code uuid not null,
  tags text[] not null default '{}',
  binding binding,
  notes jsonb,
  secret text
);
comment on column book.title is 'Title as printed on the cover.';
comment on column book.secret is 'Never shown.';

create function search_books(word text) returns setof book language sql stable
as $$ select * from book where title like '%' || word || '%' $$;
create function count_books(word text) returns setof book language sql volatile
as $$ select * from book where title = word $$;
