create table status (value text primary key, comment text);
insert into status values ('new', null);
create table item (id serial primary key, shop text not null, city text, tags text[], status text references status);
create view waiting as select count(*) as events from hdb_catalog.event_log where not delivered;
