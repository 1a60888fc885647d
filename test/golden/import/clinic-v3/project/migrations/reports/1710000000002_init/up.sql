create table occupancy (day date not null, ward_id integer not null, beds integer not null, primary key (day, ward_id));
