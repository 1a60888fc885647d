insert into author values ('00000000-0000-4000-8000-000000000001', 'Ann');
insert into post (author_id, title) values ('00000000-0000-4000-8000-000000000001', 'About x-hasura-role');
