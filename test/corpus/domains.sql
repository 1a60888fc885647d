-- Domains with checks, and domains over domains, arrays and enums; composite types, which are returned as objects and accepted as text.
-- PostgreSQL finds no `=` for a domain over an enum without a cast.
-- output only: home, homes, second, stays
create domain positive as integer check (value > 0);
create domain small_positive as positive check (value < 100);
create domain email as text check (value like '%@%');
create domain tags as text[];
create type mood as enum ('sad', 'happy');
create domain good_mood as mood check (value <> 'sad');
create type address as (street text, number integer);
create domain home as address check ((value).number > 0);
create domain second_home as home;
create domain stays as daterange[];
create domain price as money check (value >= '0'::money);
create domain flags as bit(3);
create table moods (mood good_mood primary key, note text);
insert into moods values ('happy', 'n');
create table person (
  id small_positive primary key, email email not null, tags tags, mood good_mood, home address, homes address[],
  second second_home, price price, flags flags, stays stays
);
insert into person values
  (1, 'a@x', '{a,b}', 'happy', row('s', 1), array[row('t', 2)::address], row('u', 3), '1.50', '101', '{"[2024-01-01,2024-02-01)"}'),
  (2, 'b@x', null, null, null, null, null, '2', '110', '{}');
