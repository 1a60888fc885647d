-- The tables of schema.postgres.sql in SQL Server: one column a line, constraints with names. Lists are text, and a
-- year is a computed column.
create table dbo.author (
  id int not null,
  name nvarchar(200) not null,
  born date,
  constraint pk_author primary key (id)
);

create table dbo.shelf (
  floor int not null,
  place int not null,
  label nvarchar(200) not null,
  constraint pk_shelf primary key (floor, place)
);

create table dbo.book (
  id int not null,
  title nvarchar(200) not null,
  published date,
  price decimal(8, 2) not null,
  genres nvarchar(200) not null default N'',
  author_id int not null,
  translator_id int,
  shelf_floor int,
  shelf_place int,
  year as datepart(year, published),
  constraint pk_book primary key (id),
  constraint fk_book_author foreign key (author_id) references dbo.author (id),
  constraint fk_book_translator foreign key (translator_id) references dbo.author (id),
  constraint fk_book_shelf foreign key (shelf_floor, shelf_place) references dbo.shelf (floor, place)
);

create table dbo.review (
  book_id int not null,
  reader nvarchar(100) not null,
  stars int not null,
  hidden bit not null default 0,
  constraint pk_review primary key (book_id, reader),
  constraint fk_review_book foreign key (book_id) references dbo.book (id)
);

create table dbo.prize (
  author_name nvarchar(200) not null,
  prize nvarchar(200) not null
);

create table dbo.friend (
  reader nvarchar(100) not null,
  friend nvarchar(100) not null,
  constraint pk_friend primary key (reader, friend)
);

create table dbo.edition (
  id int not null,
  facts nvarchar(max),
  constraint pk_edition primary key (id),
  constraint ck_edition_facts check (isjson(facts) = 1)
);

insert into dbo.author values (1, N'Ada', '1815-12-10'), (2, N'Jo', '1832-11-29'), (3, N'Zoe', null);
insert into dbo.shelf values (1, 1, N'A'), (1, 2, N'B'), (2, 1, N'C');
insert into dbo.book (id, title, published, price, genres, author_id, translator_id, shelf_floor, shelf_place) values
  (1, N'Engines', '1843-09-01', 12.50, N'science,notes', 1, null, 1, 1),
  (2, N'Numbers', '1842-01-01', 8.00, N'science', 1, 2, 1, 2),
  (3, N'Sisters', '1868-09-30', 9.90, N'novel', 2, null, 2, 1),
  (4, N'More Sisters', null, 9.90, N'novel', 2, null, null, null);
insert into dbo.review values
  (1, N'mia', 5, 0), (1, N'noa', 4, 1), (2, N'mia', 3, 0), (3, N'noa', 5, 0), (3, N'ole', 2, 1);
insert into dbo.prize values (N'Ada', N'Gold'), (N'Jo', N'Silver');
insert into dbo.friend values (N'mia', N'noa');
insert into dbo.edition values
  (1, N'{"pages": 66, "tags": ["first", "rare"], "size": {"w": 12, "h": 20.5}}'),
  (2, N'{"pages": 546, "tags": []}'),
  (3, N'["loose", {"pages": 1}, 7]'),
  (4, null);

exec(N'create or alter procedure dbo.books_by @author int, @up_to decimal(8, 2) = null as
begin
  set nocount on;
  select id, title, price from dbo.book where author_id = @author and (@up_to is null or price <= @up_to);
end');

exec(N'create or alter function dbo.books_about (@topic nvarchar(100), @at_most decimal(8, 2) = null) returns table as
return select * from dbo.book where lower(title) like N''%'' + lower(@topic) + N''%'' and price <= isnull(@at_most, price)');
-- Rows that no table has: the books of others as if author 1 had written them.
exec(N'create or alter function dbo.books_retold () returns table as
return select id, title, published, price, genres, 1 as author_id, cast(null as int) as translator_id, shelf_floor,
  shelf_place, year from dbo.book where author_id > 1');
exec(N'create or alter function dbo.book_headline (@title nvarchar(200), @price decimal(8, 2), @mark nvarchar(10) = N'':'')
returns nvarchar(300) as
begin
  return concat(@title, @mark, N'' '', @price);
end');
exec(N'create or alter function dbo.cheap_books (@author int, @below decimal(8, 2)) returns table as
return select * from dbo.book where author_id = @author and price < @below');
