-- Foreign tables over a file and over this server itself.
create extension file_fdw;
create server files foreign data wrapper file_fdw;
create foreign table lines (id integer, note text) server files options (program 'echo 1,a', format 'csv');
