create table audit (post_id integer, by_user text);
create function note_author() returns trigger language plpgsql as $$
begin
  insert into audit values (new.id, current_setting('engine.user', true)::json ->> 'x-engine-user-id');
  return new;
end $$;
create trigger note_author after insert on post for each row execute function note_author();
