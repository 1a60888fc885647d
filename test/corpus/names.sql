-- Names that need quotes, that GraphQL reserves or refuses, and that differ only in their case.
-- refused: public.quote"d
create table "Mixed Case" (id integer primary key, "Label" text, label text, "select" text, "naïve" text, "with space" text);
create table "plain-dash" (id integer primary key, a text);
create table "order" (id integer primary key, "group" integer, "order" text, "null" text, "true" boolean);
create table "quote""d" ("a""b" integer primary key, "c'd" text);
create table _leading (id integer primary key, _x text, x_ text, x1 text);
create table a_table_with_a_name_of_exactly_sixty_three_bytes_0123456789abcd (id integer primary key, a text);
create type "a.b""c d" as enum ('x', 'Y z', '1', 'é');
create table typed (id integer primary key, kind "a.b""c d", kinds "a.b""c d"[]);
insert into "Mixed Case" values (1, 'A', 'a', 's', 'ï', 'w'), (2, null, 'b', null, '', ' ');
insert into "order" values (1, 1, 'x', 'n', true), (2, 1, 'y', null, false);
insert into "quote""d" values (1, 'it''s "quoted" \ $1 ${x} */ --');
insert into _leading values (1, 'a', 'b', 'c');
insert into a_table_with_a_name_of_exactly_sixty_three_bytes_0123456789abcd values (1, 'a');
insert into typed values (1, 'x', '{x,"Y z"}'), (2, 'Y z', '{}'), (3, null, null);
