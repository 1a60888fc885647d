create table note (id integer generated always as identity primary key, owner_id text not null, title text not null, body text, draft boolean not null default true);
comment on table note is 'What somebody wrote down.';
comment on column note.title is 'One line.';
