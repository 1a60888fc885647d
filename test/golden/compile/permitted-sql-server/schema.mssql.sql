create table dbo.author (
  id int not null,
  name nvarchar(100) not null,
  published bit not null,
  owner nvarchar(100) not null,
  constraint pk_author primary key (id)
);

create table dbo.book (
  id int not null,
  title nvarchar(100) not null,
  author_id int not null,
  sequel_of int,
  constraint pk_book primary key (id),
  constraint fk_book_author foreign key (author_id) references dbo.author (id),
  constraint fk_book_sequel foreign key (sequel_of) references dbo.book (id)
);

create table dbo.loan (
  id int not null,
  book_id int not null,
  reader nvarchar(100) not null,
  constraint pk_loan primary key (id),
  constraint fk_loan_book foreign key (book_id) references dbo.book (id)
);
