create table town (id integer primary key, name text not null);
create table visit (
  id integer primary key,
  town_id integer references town,
  at timestamptz not null,
  spent numeric not null,
  details jsonb
);
-- Keeps the name of the groups of "visit".
create table visit_group (id integer primary key);
