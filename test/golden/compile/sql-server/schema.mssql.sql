create table dbo.author (
  id int not null,
  name nvarchar(200) not null,
  constraint pk_author primary key (id)
);

create table dbo.book (
  id int not null,
  title nvarchar(200) not null,
  price decimal(8, 2) not null,
  author_id int not null,
  facts nvarchar(max),
  constraint pk_book primary key (id),
  constraint fk_book_author foreign key (author_id) references dbo.author (id),
  constraint ck_book_facts check (isjson(facts) = 1)
);

exec(N'create or alter procedure dbo.books_by @author int, @up_to decimal(8, 2) = null as
begin
  set nocount on;
  select id, title, price from dbo.book where author_id = @author and (@up_to is null or price <= @up_to);
end');
exec(N'create or alter function dbo.books_about (@topic nvarchar(100), @at_most decimal(8, 2) = null) returns table as
return select * from dbo.book where title like N''%'' + @topic + N''%'' and price <= isnull(@at_most, price)');
exec(N'create or alter function dbo.headline (@title nvarchar(200), @price decimal(8, 2)) returns nvarchar(300) as
begin
  return concat(@title, N'': '', @price);
end');
exec(N'create or alter function dbo.books_of (@author int) returns table as
return select * from dbo.book where author_id = @author');
