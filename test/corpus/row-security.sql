-- Row-level security that also applies to the owner of the table, and a reference to a hidden row.
create table secret (id integer primary key, name text, hidden boolean not null default false);
insert into secret values (1, 'shown', false), (2, 'hidden', true);
create table mention (id integer primary key, secret_id integer not null references secret);
insert into mention values (1, 1), (2, 2);
alter table secret enable row level security;
alter table secret force row level security;
create policy shown on secret using (not hidden);
