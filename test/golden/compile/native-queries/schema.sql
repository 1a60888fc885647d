create table river (id int primary key, name text not null);
create table gauge (id int primary key, river_id int not null references river, level numeric, read_at timestamptz);
