create table client (id integer primary key, name text not null, tenant integer not null, created_by text);
create table invoice (
  id integer generated always as identity primary key,
  client_id integer not null references client,
  amount numeric not null,
  notes jsonb,
  total numeric generated always as (amount * 2) stored,
  updated_at timestamptz
);
