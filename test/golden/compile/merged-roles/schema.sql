create table house (id integer primary key, street text not null);
create table lodger (
  id integer primary key,
  name text not null,
  rent integer not null,
  note text,
  house_id integer references house
);
create function yearly_rent(l lodger) returns integer language sql stable as 'select l.rent * 12';
