create extension if not exists hstore;
create type mood as enum ('calm', 'it''s "odd"');
create domain cents as bigint;
create type place as (city text, lat double precision);
create table status (value text primary key, comment text);
insert into status values ('new', null), ('paid', 'Money is here.');
create table orders (
  id bigint primary key,
  key uuid not null,
  status text not null default 'new' references status,
  customer text not null,
  "Shipped on" date,
  at timestamptz not null default now(),
  total numeric(12, 2) not null,
  weight real,
  is_gift boolean not null default false,
  note jsonb,
  tags text[] not null default '{}',
  counts bigint[],
  mood mood,
  price cents,
  origin place,
  more hstore,
  small smallint,
  raw bytea,
  wait interval,
  during daterange
);
comment on column orders.customer is 'Who pays. */ ${1}';
