create table color (name text primary key, comment text);
insert into color values ('red', 'Like blood.'), ('blue', null), ('__proto__', 'Not */ a `${trap}`.');
create table size (name text primary key);
insert into size values ('small'), ('large');
create table shirt (
  id integer primary key, color varchar not null references color, size text references size, label text not null
);
