-- Serial columns and sequences that run backwards, in steps, or in another schema.
create schema numbering;
create sequence numbering.ticket increment 10 start 1000;
create table ticket (id bigint primary key default nextval('numbering.ticket'), note text);
insert into ticket (note) values ('a'), ('b');
create table old_style (id bigserial primary key, small smallserial, note text);
insert into old_style (note) values ('a');
create sequence down increment -1 maxvalue -1;
create table downward (id integer primary key default nextval('down'), note text);
insert into downward (note) values ('a'), ('b');
