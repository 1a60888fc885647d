create table author (id integer primary key, first_name text not null, last_name text, birth_year integer);
create table article (id integer primary key, title text not null, author_id integer not null references author, is_published boolean not null default false);

create function full_name(author) returns text language sql stable as
  $$ select concat_ws(' ', $1.first_name, $1.last_name) $$;
create function age_in(year integer, author_row author, engine_session json) returns integer language sql stable as
  $$ select year - author_row.birth_year $$;
create function nicknames(author_row author) returns text[] language sql stable as
  $$ select array[author_row.first_name] $$;
create function articles_of(author_row author, search text default '', "most rows" bigint default 10)
  returns setof article language sql stable as $$
    select * from article where author_id = author_row.id and title ilike '%' || search || '%' limit "most rows"
  $$;
comment on function articles_of is 'Articles of an author whose title holds a word.';

create function is_adult(author_row author, engine_session json) returns boolean language sql stable as
  $$ select (engine_session ->> 'x-engine-year')::integer - author_row.birth_year >= 18 $$;
create function published(author_row author) returns setof article language sql stable as
  $$ select * from article where author_id = author_row.id and is_published $$;
create function latest(author_row author) returns article language sql stable as
  $$ select * from article where author_id = author_row.id order by id desc limit 1 $$;

-- Called like a table of the metadata, and tracked as well as a computed field.
create function author(article) returns text language sql stable as $$ select $1.title $$;
create function search_articles(search text, engine_session json, text default '', words bigint[] default '{}')
  returns setof article language sql stable as $$ select * from article where title ilike '%' || search || '%' $$;
create function newest_article() returns article language sql stable as
  $$ select * from article order by id desc limit 1 $$;
create function articles_by(author_row author) returns setof article language sql stable as
  $$ select * from article where author_id = author_row.id $$;
