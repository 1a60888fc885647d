create table album (artist text, title text, released date, primary key (artist, title));
create table track (id bigint primary key, title text not null, hidden boolean not null default false, album_artist text, album_title text, foreign key (album_artist, album_title) references album);
create view chart as select id, 1 as plays from track;
create function tracks_like(search text) returns setof track language sql stable as $$ select * from track where title like search $$;
