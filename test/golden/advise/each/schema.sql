-- One instance of each finding.
create table account (
  id uuid primary key,
  name text not null,
  password_hash text not null,
  password_changed_at timestamptz
);

create table note (
  id integer primary key,
  owner_id uuid not null references account,
  body text not null
);

create table attachment (
  id integer primary key,
  note_id integer not null references note,
  file_hash text not null
);
create index on attachment (note_id, file_hash);

create table post (
  id integer primary key,
  user_id uuid not null,
  title text not null
);
create index on post (user_id) where user_id is not null;

create function search_notes(word text) returns setof note language sql stable security definer
  as $$ select * from note where body like word $$;
