-- Keys of several columns and of types with special equality, deferred and invalid keys, and tables without a primary key.
create table composite (a integer, b text, c date, note text, primary key (b, a, c));
insert into composite values (1, 'x', '2024-01-01', 'n'), (1, 'y', '2024-01-01', null);
create table no_key (a integer, b text);
insert into no_key values (1, 'x'), (1, 'x'), (null, null);
create table only_unique (a integer unique, b text, unique nulls not distinct (b));
insert into only_unique values (1, null), (2, 'x');
create table partial_unique (id integer primary key, email text, active boolean not null default true);
create unique index partial_unique_email on partial_unique (lower(email)) where active;
create unique index partial_unique_active on partial_unique (email) where active;
insert into partial_unique values (1, 'A@x', true), (2, 'a@x', false);
create table parent (id integer primary key, code char(4) unique, name text);
create table child (
  id integer primary key, parent_id integer references parent deferrable initially deferred,
  code char(4) references parent (code), self_id integer references child
);
insert into parent values (1, 'ab', 'one'), (2, 'abcd', 'two');
insert into child values (1, 1, 'ab', null), (2, null, null, 1);
create table loose (id integer primary key, parent_id integer not null);
insert into loose values (1, 1), (2, 99);
alter table loose add constraint loose_parent foreign key (parent_id) references parent not valid;
create table key_uuid (id uuid primary key, v text);
insert into key_uuid values ('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 'x');
create table key_text (id char(3) primary key, v text);
insert into key_text values ('a', 'x'), ('abc', 'y');
create table key_bigint (id bigint primary key, v text);
insert into key_bigint values (9007199254740993, 'x'), (9007199254740992, 'y');
create table key_time (id timestamptz primary key, v text);
insert into key_time values ('2024-01-01 00:00:00.000001+00', 'x');
