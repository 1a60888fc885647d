drop function search_posts; drop table post; drop table author;
