-- Inherited tables: the rows of a child also belong to the parent, whose key does not cover them.
create table animal (id integer primary key, name text);
create table dog (breed text, primary key (id)) inherits (animal);
create table puppy (weeks integer) inherits (dog);
insert into animal values (1, 'generic');
insert into dog values (2, 'rex', 'beagle');
insert into puppy values (3, 'tiny', 'pug', 6);
create table owner (id integer primary key, animal_id integer references animal);
insert into owner values (1, 1), (2, null);
