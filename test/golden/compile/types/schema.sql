create schema kinds;
create type kinds.mood as enum ('good', 'bad');
create type kinds.address as (street text, town text);
create domain kinds.positive as integer check (value > 0);
create domain kinds.scores as kinds.positive[];
create type kinds.period as range (subtype = date);
create table sample (
  id bigint primary key, small smallint, number integer, amount numeric(8, 2), real_number real, exact double precision, price money,
  flag boolean, code "char", padded char(3), name varchar(20), body text, bits bit(4), data json, document jsonb, token uuid,
  day date, at timestamp, since timestamptz, hour time, gap interval, address inet, raw bytea,
  mood kinds.mood, moods kinds.mood[], home kinds.address, positive kinds.positive, scores kinds.scores, period kinds.period, numbers integer[], span int4range
);
