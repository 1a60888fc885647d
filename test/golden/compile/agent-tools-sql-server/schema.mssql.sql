create table dbo.author (
  id int identity not null,
  name nvarchar(200) not null,
  constraint pk_author primary key (id)
);

create table dbo.book (
  id bigint identity not null,
  title nvarchar(200) not null,
  price decimal(8, 2),
  weight smallint not null,
  is_lent bit not null,
  published_on date,
  added_at datetimeoffset not null,
  code uniqueidentifier not null,
  secret nvarchar(50),
  author_id int not null,
  constraint pk_book primary key (id),
  constraint uq_book_title unique (title),
  constraint fk_book_author foreign key (author_id) references dbo.author (id)
);

exec(N'create or alter procedure dbo.books_by @author int as
begin
  set nocount on;
  select id, title from dbo.book where author_id = @author;
end');
