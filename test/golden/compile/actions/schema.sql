create table person (
  id int4 primary key,
  name text not null,
  friend int4,
  code varchar not null
);
