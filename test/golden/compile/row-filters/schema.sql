create table customer (id uuid primary key, name text not null, region text, tags text[] not null default '{}', settings jsonb not null default '{}');
create table purchase (id bigint primary key, customer_id uuid not null references customer, total numeric not null, discount numeric, ordered timestamptz not null, days date[] not null default '{}');
create table support_agent (id uuid primary key, region text not null, valid_until date);
