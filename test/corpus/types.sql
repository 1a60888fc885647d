-- Built-in types, including types without equality, with values at the limits of their ranges.
create table numbers (
  id integer primary key, s smallint, i integer, b bigint, n numeric, n2 numeric(10, 2), r real, d double precision, m money
);
insert into numbers values
  (1, -32768, -2147483648, -9223372036854775808, -0.00000000000000000001, -12345678.90, -1.5, -1e-300, '-12.34'),
  (2, 32767, 2147483647, 9223372036854775807, 12345678901234567890.123456789, 0.10, 3.4e38, 1.7976931348623157e308, '0'),
  (3, null, null, 9007199254740993, 'NaN', null, 'NaN', 'Infinity', null);
create table times (
  id integer primary key, d date, t time, tt timetz, ts timestamp, tz timestamptz, iv interval
);
insert into times values
  (1, '0044-03-15 BC', '24:00', '00:00:00+15:59', '0001-01-01', '4713-01-01 BC', '-1 year 2 mons -3 days 04:05:06.789'),
  (2, 'infinity', '00:00', '23:59:59.999999-12', '-infinity', 'infinity', '178000000 years'),
  (3, '2024-02-29', '12:34:56.789', '12:00+00', '2024-02-29 23:59:59.999999', '2024-03-31 01:30:00+00', '0');
create table texts (
  id integer primary key, t text, v varchar(5), c char(5), n name, b bytea, u uuid, x bit(3), y varbit, q "char"
);
insert into texts values
  (1, E'line\nbreak\t"quote" \\ \u2028 \U0001F600', 'abcde', 'ab', 'name', '\x00ff', 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11', '101', '1', 'a'),
  (2, '', '', '', '', '', '00000000-0000-0000-0000-000000000000', '000', '', '');
create table networks (id integer primary key, i inet, c cidr, m macaddr, m8 macaddr8);
insert into networks values (1, '::1/64', '10.0.0.0/8', '08:00:2b:01:02:03', '08:00:2b:01:02:03:04:05'), (2, '127.0.0.1', '::/0', null, null);
create table documents (id integer primary key, j json, b jsonb, x xml, p jsonpath, v tsvector, q tsquery);
insert into documents values
  (3, '[1]', '{"a": 2}', null, null, 'a:1A c:3', 'c'),
  (1, '{"a": 1.10, "a": 2, "b": [null, 9007199254740993]}', '{"a": 1.10, "b": [null, 9007199254740991]}', '<a>1</a>', '$.a[*]', 'a:1 b:2', 'a & b'),
  (2, 'null', '[]', null, null, null, null);
create table shapes (id integer primary key, p point, l line, s lseg, b box, pa path, po polygon, c circle);
insert into shapes values (1, '(1,2)', '{1,2,3}', '[(0,0),(1,1)]', '((0,0),(1,1))', '[(0,0),(1,1)]', '((0,0),(1,1),(1,0))', '<(0,0),1>');
create table arrays (id integer primary key, i integer[], t text[], n numeric[], m integer[][], j jsonb[], b boolean[]);
insert into arrays values (1, '{1,NULL,3}', '{"a,b","c\"d",NULL,""}', '{1.5}', '{{1,2},{3,4}}', array['{"a": 1}'::jsonb], '{t,f}'), (2, '{}', '{}', null, '{}', '{}', '{}');
create table ranges (id integer primary key, i int4range, n numrange, t tstzrange);
insert into ranges values (1, '[1,5)', '(,1.5]', '[2024-01-01,)'), (2, 'empty', '(,)', null);
-- Multiranges exist since version 14.
create table multiranges (id integer primary key);
insert into multiranges values (1), (2), (3);
do $$ begin
  if current_setting('server_version_num')::integer >= 140000 then
    alter table multiranges add i int4multirange, add n nummultirange, add d datemultirange;
    update multiranges set i = '{[1,3),[5,7)}', n = '{(,1.5],[2,2.5)}', d = '{[2024-01-01,2024-02-01)}' where id = 1;
    update multiranges set i = '{}', n = '{}' where id = 2;
  end if;
end $$;
create table identifiers (id integer primary key, o oid, r regclass, t regtype, x xid, l pg_lsn);
insert into identifiers values (1, 4294967295, 'pg_class', 'integer', '1', '16/B374D848');
