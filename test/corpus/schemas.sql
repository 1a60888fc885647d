-- Tables of one name in several schemas, and types and functions outside of the search path.
create schema "Other Schema";
create schema second;
create type second.color as enum ('red', 'green');
create table public.thing (id integer primary key, name text);
create table second.thing (id integer primary key, name text, color second.color default 'red', colors second.color[]);
create table "Other Schema".thing (id integer primary key, name text, thing_id integer references second.thing);
insert into public.thing values (1, 'p');
insert into second.thing values (1, 's', 'green', '{red,green}'), (2, 't', default, null);
insert into "Other Schema".thing values (1, 'o', 1);
