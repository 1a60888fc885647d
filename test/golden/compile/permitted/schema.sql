create table author (
  id integer primary key,
  name text not null,
  published boolean not null default false,
  owner text not null
);
create table book (
  id integer primary key,
  title text not null,
  author_id integer not null references author,
  sequel_of integer references book
);
create table loan (
  id integer primary key,
  book_id integer not null references book,
  reader text not null
);
create table "shelf mark" (id integer primary key, book_id integer not null references book, mark text);
