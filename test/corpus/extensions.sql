-- Extensions in a separate schema outside the search path.
create schema ext;
create extension citext schema ext;
create extension hstore schema ext;
create extension ltree schema ext;
create extension cube schema ext;
create extension isn schema ext;
create table account (id integer primary key, email ext.citext unique, note text);
insert into account values (1, 'Boss@x.org', 'a'), (2, 'a@x.org', 'b'), (3, null, null);
create table alias (id integer primary key, email ext.citext references account (email));
insert into alias values (1, 'boss@X.ORG'), (2, null);
create table bag (id integer primary key, attributes ext.hstore, path ext.ltree, place ext.cube, book ext.isbn, emails ext.citext[], paths ext.ltree[]);
insert into bag values
  (1, 'a=>1, "b c"=>NULL', 'top.sub_1.leaf', '(1,2)', '978-0-393-04002-9', '{A,b}', '{top,top.a}'),
  (2, '', 'top', '(1,2),(3,4)', null, '{}', '{}'),
  (3, 'c=>2', 'other.leaf', '(0,0)', '0-13-014329-4', '{a,B}', '{x}');
create table keyed (id ext.citext primary key, v text);
insert into keyed values ('Key', 'x');
