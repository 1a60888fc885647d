-- Domains with checks, and domains over domains, arrays and enums; composite types, which are returned as objects and accepted as text.
-- PostgreSQL finds no `=` for a domain over an enum without a cast.
-- output only: home, homes
create domain positive as integer check (value > 0);
create domain small_positive as positive check (value < 100);
create domain email as text check (value like '%@%');
create domain tags as text[];
create type mood as enum ('sad', 'happy');
create domain good_mood as mood check (value <> 'sad');
create type address as (street text, number integer);
create table moods (mood good_mood primary key, note text);
insert into moods values ('happy', 'n');
create table person (
  id small_positive primary key, email email not null, tags tags, mood good_mood, home address, homes address[]
);
insert into person values
  (1, 'a@x', '{a,b}', 'happy', row('s', 1), array[row('t', 2)::address]),
  (2, 'b@x', null, null, null, null);
