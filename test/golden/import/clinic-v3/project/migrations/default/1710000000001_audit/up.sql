create table audit (id serial primary key, what text, by_user text, by_role text);
create function audit_patient() returns trigger language plpgsql as $$
declare
  session json := current_setting('hasura.user', true);
begin
  insert into audit (what, by_user, by_role)
  values (new.name, session ->> 'x-hasura-user-id', session ->> 'x-hasura-role');
  return new;
end $$;
create trigger audit_patient after update on patient for each row execute function audit_patient();
