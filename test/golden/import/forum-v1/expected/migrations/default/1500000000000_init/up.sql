create table board (name text primary key, comment text);
insert into board values ('general', null), ('support', 'help');
create table topic (
  id uuid primary key default gen_random_uuid(),
  board text not null references board,
  author text not null,
  title text not null
);
create function find_topics(words text) returns setof topic language sql stable as
  $$ select * from topic where title ilike '%' || words || '%' $$;
