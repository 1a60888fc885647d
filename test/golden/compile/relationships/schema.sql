create table person (id integer primary key, name text not null, boss_id integer references person, email text unique);
create table room (building text, number integer, seats integer not null, primary key (building, number));
create table booking (id integer primary key, person_id integer not null references person, building text not null, number integer, foreign key (building, number) references room);
create table secret (person_id integer primary key references person, text text not null);
