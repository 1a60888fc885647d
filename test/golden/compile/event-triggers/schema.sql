create table orders (
  id integer primary key,
  customer text not null,
  status text not null default 'new',
  "Shipped on" date,
  note json
);
create table price (
  product integer primary key,
  amount numeric(12, 2) not null,
  seen bigint not null default 0
);
create table reading (
  sensor integer not null,
  at timestamptz not null,
  value double precision,
  primary key (sensor, at)
) partition by range (at);
create table reading_2026 partition of reading for values from ('2026-01-01') to ('2027-01-01');
create table person (id integer primary key, name text not null);
create table employee (salary numeric) inherits (person);
create type mood as enum ('calm', 'cross');
create table visitor (id integer primary key, mood mood);
