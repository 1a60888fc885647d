create schema sea_port;

create table sea_port.ship_state (state text primary key, meaning text);
insert into sea_port.ship_state values ('at_sea', 'Nowhere near.'), ('moored', 'At a berth.');

create table sea_port.cargo_ship (
  ship_id int primary key,
  ship_name text not null unique,
  current_state text not null references sea_port.ship_state,
  gross_tonnage numeric,
  last_seen timestamptz
);

create table log_entry (
  entry_id int primary key,
  ship_id int not null references sea_port.cargo_ship,
  entry_data jsonb not null,
  is_final boolean not null default false
);

create function seen_since(first_day date, max_rows int default 10) returns setof sea_port.cargo_ship
  language sql stable as $$ select * from sea_port.cargo_ship where last_seen >= first_day limit max_rows $$;
