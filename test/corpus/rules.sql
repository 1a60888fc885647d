-- Rules that write to another table, in addition to the original statement or instead of it. PostgreSQL refuses DO ALSO rules for statements inside WITH.
-- read only: public.ledger
create table ledger (id integer primary key, amount integer);
insert into ledger values (1, 10);
create table ledger_log (id integer generated always as identity primary key, ledger_id integer, amount integer);
create rule log_update as on update to ledger do also insert into ledger_log (ledger_id, amount) values (old.id, new.amount);
create table kept (id integer primary key, note text);
insert into kept values (1, 'a');
create rule keep as on delete to kept do instead nothing;
