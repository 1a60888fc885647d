/** The product's own tables in the metadata database, migrated by numbered steps. */

/** Migration steps, numbered from 1. Steps are only appended, never edited. */
export const migrations: readonly string[] = [
  `
  create table engine_catalog.engine_version (
    engine_uuid uuid primary key default gen_random_uuid(),
    version text not null,
    upgraded_on timestamptz not null,
    cli_state jsonb not null default '{}',
    console_state jsonb not null default '{}'
  );
  create unique index engine_version_one_row on engine_catalog.engine_version ((version is not null));

  create table engine_catalog.engine_metadata (
    id integer primary key check (id = 1),
    metadata json not null,
    resource_version integer not null default 1 unique
  );

  create table engine_catalog.engine_schema_notifications (
    id integer primary key check (id = 1),
    notification json not null,
    resource_version integer not null default 1,
    instance_id uuid not null,
    updated_at timestamptz default now()
  );
  `,
  // Stores metadata in parts (compiler/catalog/parts.ts). The view `engine_metadata` returns the document in one row
  // for tools.
  `
  alter table engine_catalog.engine_metadata rename to engine_metadata_before;

  create table engine_catalog.engine_metadata_version (
    id integer primary key check (id = 1),
    resource_version integer not null default 1 unique
  );
  insert into engine_catalog.engine_metadata_version
    select id, resource_version from engine_catalog.engine_metadata_before;

  create table engine_catalog.engine_metadata_part (
    source text collate "C" not null,
    table_schema text collate "C" not null,
    table_name text collate "C" not null,
    value json not null,
    primary key (source, table_schema, table_name)
  );
  insert into engine_catalog.engine_metadata_part
    select '', '', '', (select json_object_agg(key, value) from json_each(metadata) where key <> 'sources')
    from engine_catalog.engine_metadata_before;
  insert into engine_catalog.engine_metadata_part
    select source ->> 'name', '', '', (select json_object_agg(key, value) from json_each(source) where key <> 'tables')
    from engine_catalog.engine_metadata_before, json_array_elements(metadata -> 'sources') as source;
  insert into engine_catalog.engine_metadata_part
    select source ->> 'name', "table" -> 'table' ->> 'schema', "table" -> 'table' ->> 'name', "table"
    from engine_catalog.engine_metadata_before, json_array_elements(metadata -> 'sources') as source,
      json_array_elements(source -> 'tables') as "table";
  drop table engine_catalog.engine_metadata_before;

  create view engine_catalog.engine_metadata as
  select version.id,
    (select '{"sources":[' || coalesce(string_agg(source.text, ',' order by source.source), '') || '],'
        || (select substr(ltrim(value::text), 2) from engine_catalog.engine_metadata_part where source = '')
        from (
          select owner.source,
            '{"tables":[' || coalesce(string_agg(part.value::text, ',' order by part.table_schema, part.table_name), '')
              || '],' || substr(ltrim(owner.value::text), 2) as text
          from engine_catalog.engine_metadata_part as owner
            left join engine_catalog.engine_metadata_part as part on part.source = owner.source and part.table_name <> ''
          where owner.source <> '' and owner.table_name = ''
          group by owner.source, owner.table_schema, owner.table_name
        ) as source
    )::json as metadata,
    version.resource_version
  from engine_catalog.engine_metadata_version as version;
  `,
  // Scheduled triggers (docs/how-to/schedules.md).
  ["cron", "scheduled"]
    .map(
      (kind) => `
  create table engine_catalog.engine_${kind}_events (
    id text primary key default gen_random_uuid(),
    ${
      kind === "cron"
        ? "trigger_name text not null,"
        : "webhook_conf json not null, retry_conf json, payload json, header_conf json, comment text, request_transform json, response_transform json,"
    }
    scheduled_time timestamptz not null,
    status text not null default 'scheduled' check (status in ('scheduled', 'locked', 'delivered', 'error', 'dead')),
    tries integer not null default 0,
    created_at timestamptz default now(),
    next_retry_at timestamptz
  );
  create index engine_${kind}_events_by_status on engine_catalog.engine_${kind}_events (status);
  create table engine_catalog.engine_${kind}_event_invocation_logs (
    id text primary key default gen_random_uuid(),
    event_id text references engine_catalog.engine_${kind}_events (id) on update cascade on delete cascade,
    status integer,
    request json,
    response json,
    created_at timestamptz default now()
  );
  create index engine_${kind}_event_invocation_logs_by_event
    on engine_catalog.engine_${kind}_event_invocation_logs (event_id);
  `,
    )
    .join("") +
    `
  create unique index engine_cron_events_once
    on engine_catalog.engine_cron_events (trigger_name, scheduled_time) where status = 'scheduled';
  `,
  // The last shape read from each source (runtime/control/stored-shapes.ts).
  `
  create table engine_catalog.engine_source_shape (
    source text primary key,
    connection text not null,
    digest text not null,
    shape json not null,
    kept_at timestamptz not null default now()
  );
  `,
  // Secrets shared by all instances of an installation and never exported.
  `
  create table engine_catalog.engine_secret (
    name text primary key,
    value text not null
  );
  `,
  // Delivery of scheduled events: the instance that holds an event, and the schedule that created the events of a
  // trigger.
  ["cron", "scheduled"]
    .map(
      (kind) => `
  alter table engine_catalog.engine_${kind}_events add locked_by uuid, add locked_at timestamptz;
  drop index engine_catalog.engine_${kind}_events_by_status;
  create index engine_${kind}_events_locked on engine_catalog.engine_${kind}_events (locked_by) where status = 'locked';
  `,
    )
    .join("") +
    `
  alter table engine_catalog.engine_scheduled_events add signing_secret json;
  create index engine_cron_events_due
    on engine_catalog.engine_cron_events (trigger_name, (coalesce(next_retry_at, scheduled_time)))
    where status = 'scheduled';
  create index engine_cron_events_of_trigger on engine_catalog.engine_cron_events (trigger_name, scheduled_time);
  create index engine_scheduled_events_due
    on engine_catalog.engine_scheduled_events ((coalesce(next_retry_at, scheduled_time))) where status = 'scheduled';

  create table engine_catalog.engine_cron_schedules (
    trigger_name text primary key,
    schedule text not null,
    timezone text not null,
    -- No event is made for a time before.
    since timestamptz not null
  );

  -- Signs of life, by the clock of this database, of those who take what is due from it. A source in the same database
  -- has a table of its own. Who waits wants to be notified.
  create table engine_catalog.engine_server_instances (
    id uuid primary key,
    seen_at timestamptz not null default clock_timestamp(),
    waiting boolean not null default false
  );
  `,
  // The last shape read from each remote schema (runtime/control/stored-shapes.ts).
  `
  create table engine_catalog.engine_remote_shape (
    source text primary key,
    connection text not null,
    digest text not null,
    shape json not null,
    kept_at timestamptz not null default now()
  );
  `,
  // Calls of asynchronous actions (docs/how-to/actions.md).
  `
  create table engine_catalog.engine_action_log (
    id uuid primary key default gen_random_uuid(),
    action_name text not null,
    input_payload jsonb not null,
    request_headers jsonb not null,
    session_variables jsonb not null,
    response_payload jsonb,
    errors jsonb,
    created_at timestamptz not null default now(),
    response_received_at timestamptz,
    status text not null default 'created' check (status in ('created', 'processing', 'completed', 'error')),
    -- Who has taken it, of engine_server_instances.
    locked_by uuid,
    locked_at timestamptz
  );
  create index engine_action_log_created
    on engine_catalog.engine_action_log (action_name, created_at, id) where status = 'created';
  create index engine_action_log_processing on engine_catalog.engine_action_log (locked_by) where status = 'processing';
  create index engine_action_log_ended
    on engine_catalog.engine_action_log (response_received_at) where status in ('completed', 'error');
  `,
  // Locks on the state of a tool, held until released or expired.
  `
  create table engine_catalog.engine_catalog_lock (
    type text primary key,
    holder uuid not null,
    label text not null,
    since timestamptz not null default clock_timestamp(),
    expires_at timestamptz not null
  );
  `,
  // History of the metadata (runtime/control/metadata-history.ts). The value of a part is that before the change, null for
  // a part that the change added.
  `
  create table engine_catalog.engine_metadata_history (
    resource_version integer primary key,
    changed_at timestamptz not null default clock_timestamp(),
    role text,
    user_name text,
    operations text[] not null
  );
  create table engine_catalog.engine_metadata_history_part (
    resource_version integer not null,
    source text collate "C" not null,
    table_schema text collate "C" not null,
    table_name text collate "C" not null,
    value json,
    primary key (resource_version, source, table_schema, table_name)
  );
  `,
  // Lists of scheduled events and calls of asynchronous actions, which are merged from one index scan per status; the
  // time of the last redelivery.
  `
  alter table engine_catalog.engine_cron_events add redelivered_at timestamptz;
  alter table engine_catalog.engine_scheduled_events add redelivered_at timestamptz;
  create index engine_cron_events_listed
    on engine_catalog.engine_cron_events (trigger_name, status, scheduled_time, id);
  create index engine_scheduled_events_listed on engine_catalog.engine_scheduled_events (status, scheduled_time, id);
  create index engine_action_log_listed on engine_catalog.engine_action_log (action_name, status, created_at, id);
  `,
  // Retries of asynchronous actions; the log of administrative operations (docs/how-to/audit-log.md).
  `
  alter table engine_catalog.engine_action_log
    add tries integer not null default 0, add next_retry_at timestamptz, add redelivered_at timestamptz;
  drop index engine_catalog.engine_action_log_created;
  create index engine_action_log_due
    on engine_catalog.engine_action_log (action_name, (coalesce(next_retry_at, created_at)), id)
    where status = 'created';

  create table engine_catalog.engine_audit_log (
    id bigint generated always as identity primary key,
    at timestamptz not null default clock_timestamp(),
    request_id text,
    role text,
    user_name text,
    ip text,
    endpoint text not null,
    -- [{"type": …, "objects": {…}}]
    operations json not null,
    operation_count integer not null,
    -- 'success', or the code of the error.
    outcome text not null,
    resource_version integer
  );
  create index engine_audit_log_at on engine_catalog.engine_audit_log (at, id);
  `,
];
