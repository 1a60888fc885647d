/**
 * The product's tables in a PostgreSQL source with event triggers, migrated by numbered steps
 * (`docs/how-to/event-triggers.md`). Timestamps of `event_log` have no time zone and are in UTC.
 */

/** Migration steps, numbered from 1. The statements of a released step are never edited, only followed by new steps. */
export const postgresCatalogMigrations: readonly string[] = [
  `
  create function engine_catalog.gen_engine_uuid() returns uuid
    language sql volatile as 'select pg_catalog.gen_random_uuid()';

  create table engine_catalog.event_log (
    id text primary key default pg_catalog.gen_random_uuid()::text,
    schema_name text not null,
    table_name text not null,
    trigger_name text not null,
    payload jsonb not null,
    delivered boolean not null default false,
    error boolean not null default false,
    tries integer not null default 0,
    created_at timestamp not null default (pg_catalog.now() at time zone 'utc'),
    locked timestamptz,
    next_retry_at timestamp,
    archived boolean not null default false,
    -- The instance that holds the lock.
    locked_by uuid,
    -- For ordered triggers: the key within which events are ordered, and the position.
    ordering_key text collate "C",
    ordering_number bigint,
    -- Upper bound of the transactions that may still add an event before this one.
    ordering_horizon bigint
  );
  -- The index includes locked events, of which there are few, so that taking an event updates no index.
  create index event_log_fetch on engine_catalog.event_log (trigger_name, next_retry_at nulls first, created_at)
    where not delivered and not error and not archived and ordering_key is null;
  create index event_log_done on engine_catalog.event_log (trigger_name, created_at)
    where delivered or error or archived;
  create index event_log_ordered on engine_catalog.event_log (trigger_name, ordering_key, ordering_number)
    where ordering_key is not null and not delivered and not error and not archived;
  create index event_log_held on engine_catalog.event_log (trigger_name, ordering_key, ordering_number)
    where ordering_key is not null and error and not archived;
  create index event_log_unmarked on engine_catalog.event_log (trigger_name, ordering_number)
    where ordering_key is not null and ordering_horizon is null and not delivered and not error and not archived;
  create sequence engine_catalog.event_ordering;
  -- Returns a key of any length as a text that is short enough for an index.
  create function engine_catalog.ordering_key(key jsonb) returns text language sql immutable as $$
    select case
      when pg_catalog.length(key::text) <= 300 then key::text
      else pg_catalog.left(key::text, 200)
        || pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(key::text, 'UTF8')), 'hex')
    end
  $$;

  create table engine_catalog.event_invocation_logs (
    id text primary key default pg_catalog.gen_random_uuid()::text,
    trigger_name text,
    event_id text,
    status integer,
    request json,
    response json,
    created_at timestamp not null default (pg_catalog.now() at time zone 'utc')
  );
  create index event_invocation_logs_event on engine_catalog.event_invocation_logs (event_id);
  create index event_invocation_logs_trigger on engine_catalog.event_invocation_logs (trigger_name, created_at);

  create table engine_catalog.engine_event_log_cleanups (
    id text primary key default pg_catalog.gen_random_uuid()::text,
    trigger_name text not null,
    scheduled_at timestamp not null,
    deleted_event_logs integer,
    deleted_event_invocation_logs integer,
    status text not null check (status in ('scheduled', 'paused', 'completed', 'dead')),
    unique (trigger_name, scheduled_at)
  );

  -- Heartbeats. Waiting instances are notified of the next event. Only registered instances take locks. A row that is too
  -- old is deleted together with the locks of its instance.
  create table engine_catalog.engine_instances (
    id uuid primary key,
    seen_at timestamptz not null default pg_catalog.clock_timestamp(),
    waiting boolean not null default false
  );

  create function engine_catalog.insert_event_log(
    schema_name text, table_name text, trigger_name text, op text, row_data json
  ) returns text language sql volatile as $$
    insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload)
    values ($1, $2, $3, pg_catalog.jsonb_build_object(
      'op', $4,
      'data', $5,
      'session_variables', nullif(pg_catalog.current_setting('engine.user', true), '')::jsonb,
      'trace_context', nullif(pg_catalog.current_setting('engine.tracecontext', true), '')::jsonb
    ))
    returning id
  $$;

  -- Notifies only if an instance is waiting, because transactions with notifications commit one at a time.
  create function engine_catalog.notify_of_events() returns trigger language plpgsql as $$
  begin
    if exists (select from engine_catalog.engine_instances where waiting) then
      perform pg_catalog.pg_notify('engine_events', '');
    end if;
    return null;
  end
  $$;
  create trigger notify_of_events after insert on engine_catalog.event_log
    for each statement execute function engine_catalog.notify_of_events();
  `,
  `
  -- Converts json to jsonb, which rejects some values: \\u0000 and lone surrogates become \\ufffd, other rejected values
  -- become strings with their text.
  create function engine_catalog.event_json(value json) returns jsonb language plpgsql immutable strict as $$
  begin
    return value::jsonb;
  exception when others then
    return engine_catalog.storable_event_json(value);
  end
  $$;
  create function engine_catalog.storable_event_json(value json) returns jsonb language plpgsql immutable strict
    set standard_conforming_strings = on as $$
  declare
    -- Escapes begin with an odd number of backslashes.
    start constant text := '(?<!\\\\)((?:\\\\\\\\)*)\\\\u';
    high constant text := '[dD][89abAB][0-9a-fA-F]{2}';
    low constant text := '[dD][c-fC-F][0-9a-fA-F]{2}';
    clean json := pg_catalog.regexp_replace(pg_catalog.regexp_replace(pg_catalog.regexp_replace(pg_catalog.regexp_replace(
      value::text,
      start || '0000', '\\1\\\\ufffd', 'g'),
      start || '(' || high || ')\\\\u(' || low || ')', '\\1\\\\v\\2\\\\v\\3', 'g'),
      start || '[dD][89a-fA-F][0-9a-fA-F]{2}', '\\1\\\\ufffd', 'g'),
      '(?<!\\\\)((?:\\\\\\\\)*)\\\\v', '\\1\\\\u', 'g');
  begin
    begin
      return clean::jsonb;
    exception when others then
      -- It is a part of it.
    end;
    return case pg_catalog.json_typeof(clean)
      when 'object' then (
        select pg_catalog.jsonb_object_agg(m.key, coalesce(engine_catalog.event_json(m.value), 'null'))
        from pg_catalog.json_each(clean) m)
      when 'array' then (
        select pg_catalog.jsonb_agg(coalesce(engine_catalog.event_json(e.value), 'null') order by e.place)
        from pg_catalog.json_array_elements(clean) with ordinality e(value, place))
      else pg_catalog.to_jsonb(clean::text)
    end;
  exception when others then
    return pg_catalog.to_jsonb(value::text);
  end
  $$;

  -- Events of statements that write many rows, in columns: each array of column_values has one element for each event.
  create table engine_catalog.packed_events (
    id bigint generated always as identity primary key,
    schema_name text not null,
    table_name text not null,
    trigger_name text not null,
    op text not null,
    session_variables jsonb,
    trace_context jsonb,
    created_at timestamp not null default (pg_catalog.now() at time zone 'utc'),
    events integer not null,
    column_names text[] not null,
    column_values json[] not null
  );
  do $$
  begin
    execute 'alter table engine_catalog.packed_events alter column_values set compression lz4';
  exception when others then
    -- An older server, or one without it: its own compression costs more than it saves.
    alter table engine_catalog.packed_events alter column_values set storage external;
  end
  $$;
  create trigger notify_of_events after insert on engine_catalog.packed_events
    for each statement execute function engine_catalog.notify_of_events();

  -- Adds the events of a pack. The last argument is the format string that converts values.
  create function engine_catalog.unpack_one(pack engine_catalog.packed_events, conversion text) returns void
    language plpgsql as $$
  declare
    column_values json[] := pack.column_values;
    objects text;
    functions text;
    names text;
  begin
    select pg_catalog.string_agg('pg_catalog.jsonb_build_object(' || slice.pairs || ')', ' || ' order by slice.n),
      pg_catalog.string_agg(slice.functions, ', ' order by slice.n),
      pg_catalog.string_agg(slice.names, ', ' order by slice.n)
    into objects, functions, names
    from (
      -- A function takes 100 arguments at most.
      select i / 50 as n,
        pg_catalog.string_agg(pg_catalog.format('$8[%s], ' || conversion, i, 'r.c' || i), ', ' order by i) as pairs,
        pg_catalog.string_agg(pg_catalog.format('pg_catalog.json_array_elements($9[%s])', i), ', ' order by i) as functions,
        pg_catalog.string_agg('c' || i, ', ' order by i) as names
      from pg_catalog.generate_series(1, pg_catalog.cardinality(pack.column_names)) i group by i / 50
    ) slice;
    execute pg_catalog.format(
      'insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload, created_at)
       select $1, $2, $3, pg_catalog.jsonb_build_object(''op'', $4, ''data'',
         pg_catalog.jsonb_build_object(''old'', %s, ''new'', %s), ''session_variables'', $5, ''trace_context'', $6), $7
       from rows from (%s) as r(%s)',
      case pack.op when 'DELETE' then objects else 'null' end,
      case pack.op when 'DELETE' then 'null' else objects end, functions, names)
      using pack.schema_name, pack.table_name, pack.trigger_name, pack.op, pack.session_variables, pack.trace_context,
        pack.created_at, pack.column_names, column_values;
  end
  $$;

  -- Unpacks up to the given number of packs, alternating between triggers. Returns the number of unpacked packs.
  create function engine_catalog.unpack_events(packs integer) returns integer language plpgsql as $$
  declare
    pack engine_catalog.packed_events;
    unpacked integer := 0;
  begin
    for pack in
      select p.*
      from (
        select n.id, pg_catalog.row_number() over (partition by n.trigger_name order by n.id) as turn
        from engine_catalog.packed_events n
        order by turn, id limit packs * 8
      ) i join engine_catalog.packed_events p using (id)
      order by i.turn, p.id limit packs for update of p skip locked
    loop
      begin
        begin
          perform engine_catalog.unpack_one(pack, '%s');
        exception when data_exception then
          perform engine_catalog.unpack_one(pack, 'engine_catalog.event_json(%s)');
        end;
        delete from engine_catalog.packed_events where id = pack.id;
        unpacked := unpacked + 1;
      exception when others then
        raise warning 'events % of trigger % cannot be unpacked: %', pack.id, pack.trigger_name, sqlerrm;
      end;
    end loop;
    return unpacked;
  end
  $$;
  `,
  `
  -- For a redelivered event: the event of its key that was in flight when it was reset.
  alter table engine_catalog.event_log add column ordering_waits_for text;

  -- Finds the newest of the events that event_log_fetch does not contain in order of creation.
  create index event_log_waiting on engine_catalog.event_log (trigger_name, created_at)
    where (next_retry_at is not null or ordering_key is not null) and not delivered and not error and not archived;

  -- Waits for concurrent unpacking. Later statements see the unpacked events.
  create function engine_catalog.unpack_all_events() returns void language plpgsql as $$
  begin
    perform from engine_catalog.packed_events for update;
    perform engine_catalog.unpack_events(count(*)::integer) from engine_catalog.packed_events;
  end
  $$;
  `,
  `
  -- Returns the object in a setting that the engine sets for a transaction. Any user can set it: a value other than an
  -- object is null, so that it cannot fail the transaction.
  create function engine_catalog.event_setting(setting text) returns jsonb language plpgsql stable as $$
  declare
    written constant text := nullif(pg_catalog.current_setting(setting, true), '');
    value json;
  begin
    if written is null then return null; end if;
    begin
      value := written::json;
    exception when others then
      return null;
    end;
    return case when pg_catalog.json_typeof(value) = 'object' then engine_catalog.event_json(value) end;
  end
  $$;
  create or replace function engine_catalog.insert_event_log(
    schema_name text, table_name text, trigger_name text, op text, row_data json
  ) returns text language sql volatile as $$
    insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload)
    values ($1, $2, $3, pg_catalog.jsonb_build_object(
      'op', $4,
      'data', $5,
      'session_variables', engine_catalog.event_setting('engine.user'),
      'trace_context', engine_catalog.event_setting('engine.tracecontext')
    ))
    returning id
  $$;
  `,
  `
  -- Returns the trace of the events of a transaction: that of the request, else a new one for a transaction of the engine.
  -- Generated here, so that writes without events need no statement for it, and without md5, which FIPS mode rejects.
  create function engine_catalog.event_trace() returns jsonb language plpgsql stable as $$
  declare
    given constant jsonb := engine_catalog.event_setting('engine.tracecontext');
    seed text;
    digits text := '';
  begin
    if given is not null or engine_catalog.event_setting('engine.user') is null then return given; end if;
    seed := pg_catalog.concat_ws(' ', pg_catalog.txid_current(), pg_catalog.transaction_timestamp(),
      pg_catalog.pg_backend_pid(), pg_catalog.inet_server_addr(), pg_catalog.inet_server_port(),
      pg_catalog.current_database());
    for part in 1..6 loop
      digits := digits || pg_catalog.lpad(pg_catalog.to_hex(pg_catalog.hashtext(part::text || ' ' || seed)), 8, '0');
    end loop;
    return pg_catalog.jsonb_build_object(
      'trace_id', pg_catalog."left"(digits, 32), 'span_id', pg_catalog."right"(digits, 16));
  end
  $$;
  create or replace function engine_catalog.insert_event_log(
    schema_name text, table_name text, trigger_name text, op text, row_data json
  ) returns text language sql volatile as $$
    insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload)
    values ($1, $2, $3, pg_catalog.jsonb_build_object(
      'op', $4,
      'data', $5,
      'session_variables', engine_catalog.event_setting('engine.user'),
      'trace_context', engine_catalog.event_trace()
    ))
    returning id
  $$;
  `,
  `
  -- Finds the failed events of a trigger among many delivered ones.
  create index event_log_failed on engine_catalog.event_log (trigger_name, created_at) where error and not archived;
  `,
  `
  -- Publications of all tables for logical replication refuse updates of a table without a primary key or this.
  alter table if exists engine_catalog.engine_source_catalog_version replica identity full;
  `,
];
