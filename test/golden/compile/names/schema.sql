create schema "Shop";
create table "Shop"."order" (id integer primary key, "class" text, "Größe" text, "two words" text);
create table "Shop"."Order" (id integer primary key);
create table columns (id integer primary key, sql text, session text);
create table "a `${b}` */" (id integer primary key);
comment on table columns is E'Ends here */ and `${there}`,\n not on this line.';
