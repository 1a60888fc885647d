/**
 * The product's tables in a PostgreSQL source with event triggers, brought forward by numbered steps (`automation.md`
 * A.4). Times of `event_log` are without zone, in UTC.
 */

/** One step; its number is its place in the list, starting at 1. Steps are never edited, only added. */
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
    -- Of triggers whose events are ordered: what they are ordered within, and by.
    ordering_key text collate "C",
    ordering_number bigint,
    -- Every transaction that can still add an event before this one is below it.
    ordering_horizon bigint
  );
  -- Locked events stay in it: there are few, and taking an event touches no index.
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
  -- Values of any length, as a text that an index takes.
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

  -- Signs of life. Who waits wants to be notified of the next event. Locks are only taken by those that have a row; one
  -- that is too old is deleted, with the locks of its instance.
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

  -- Transactions that notify commit one after the other: so only where somebody waits.
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
];
