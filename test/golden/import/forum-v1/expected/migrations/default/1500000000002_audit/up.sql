create table audit (who text, what text);
create function note_topic() returns trigger language plpgsql as $$ begin
  insert into audit select variables ->> 'x-engine-user-id', new.title
    from (select current_setting('engine.user', true)::json as variables) as session;
  return new;
end $$;
create trigger note_topic after insert on topic for each row execute procedure note_topic();
