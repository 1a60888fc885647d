-- Partitioned tables: by range, list and hash, nested, with a default partition and keys that include the partition key.
create table measure (id integer, at date, value numeric, primary key (id, at)) partition by range (at);
create table measure_2023 partition of measure for values from ('2023-01-01') to ('2024-01-01');
create table measure_rest partition of measure default partition by list (id);
create table measure_rest_1 partition of measure_rest for values in (1, 2);
create table measure_rest_other partition of measure_rest default;
create unique index measure_value on measure (value, at, id) where value > 1;
create unique index measure_day on measure (at, id, abs(id));
insert into measure values (1, '2023-05-05', 1.5), (1, '2024-05-05', 2), (7, '2022-01-01', null);
create table hashed (id integer primary key, name text) partition by hash (id);
create table hashed_0 partition of hashed for values with (modulus 2, remainder 0);
create table hashed_1 partition of hashed for values with (modulus 2, remainder 1);
insert into hashed select i, 'n' || i from generate_series(1, 5) i;
create table refers (id integer primary key, hashed_id integer references hashed);
insert into refers values (1, 1), (2, null);
