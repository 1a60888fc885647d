/**
 * The product's tables in a SQL Server source with event triggers, migrated by numbered steps
 * (`docs/how-to/event-triggers.md`). No index is filtered: writes of sessions with the SET options of old clients would fail.
 * `ordered-queue.ts` describes the tables of ordered events.
 */

/** Migration steps as lists of batches, numbered from 1. Steps are only appended, never edited. */
export const mssqlCatalogMigrations: readonly (readonly string[])[] = [
  [
    `create sequence engine_catalog.event_ordering as bigint start with 1`,
    `create table engine_catalog.event_log (
  id uniqueidentifier not null constraint event_log_id primary key constraint event_log_new_id default newid(),
  schema_name nvarchar(max) not null,
  table_name nvarchar(max) not null,
  trigger_name nvarchar(850) not null,
  payload nvarchar(max) not null,
  delivered bit not null constraint event_log_delivered default 0,
  error bit not null constraint event_log_error default 0,
  tries integer not null constraint event_log_tries default 0,
  created_at datetimeoffset(7) not null constraint event_log_created_at default sysdatetimeoffset() at time zone N'UTC',
  locked datetimeoffset(7) null,
  next_retry_at datetimeoffset(7) null,
  archived bit not null constraint event_log_archived default 0,
  locked_by uniqueidentifier null,
  ordering_key nvarchar(max) null,
  ordering_number bigint null,
  ordering_horizon bigint null
)`,
    `create index event_log_fetch on engine_catalog.event_log
  (delivered, error, archived, next_retry_at, created_at) include (trigger_name, locked)`,
    `create index event_log_done on engine_catalog.event_log (created_at) include (trigger_name, delivered, error, archived)`,
    `create table engine_catalog.event_invocation_logs (
  id uniqueidentifier not null constraint event_invocation_logs_id primary key
    constraint event_invocation_logs_new_id default newid(),
  trigger_name nvarchar(850) null,
  event_id uniqueidentifier not null,
  status integer null,
  request nvarchar(max) null,
  response nvarchar(max) null,
  created_at datetimeoffset(7) not null
    constraint event_invocation_logs_created_at default sysdatetimeoffset() at time zone N'UTC'
)`,
    `create index event_invocation_logs_event on engine_catalog.event_invocation_logs (event_id)`,
    `create table engine_catalog.engine_event_log_cleanups (
  id uniqueidentifier not null constraint engine_event_log_cleanups_id primary key
    constraint engine_event_log_cleanups_new_id default newid(),
  trigger_name nvarchar(800) not null,
  scheduled_at datetimeoffset(7) not null,
  deleted_event_logs integer null,
  deleted_event_invocation_logs integer null,
  status nvarchar(9) not null constraint engine_event_log_cleanups_status
    check (status in (N'scheduled', N'paused', N'completed', N'dead')),
  constraint engine_event_log_cleanups_once unique (trigger_name, scheduled_at)
)`,
    `create table engine_catalog.engine_instances (
  id uniqueidentifier not null constraint engine_instances_id primary key,
  seen_at datetimeoffset(7) not null constraint engine_instances_seen_at default sysdatetimeoffset(),
  waiting bit not null constraint engine_instances_waiting default 0
)`,
  ],
  [
    `alter table engine_catalog.event_log add ordered bit not null constraint event_log_ordered default 0`,
    // The event of the same key that was in flight when this event was reset.
    `alter table engine_catalog.event_log add ordering_waits_for uniqueidentifier null`,
    // Statements on many rows must not lock the whole table.
    `alter table engine_catalog.event_log set (lock_escalation = disable)`,
    `drop index event_log_fetch on engine_catalog.event_log`,
    `create index event_log_fetch on engine_catalog.event_log
  (delivered, error, archived, ordered, next_retry_at, created_at) include (trigger_name, locked)`,
    // The statement that orders events skips rows that other transactions are writing, so locks must be on rows, not
    // pages.
    `create table engine_catalog.ordered_arrivals (
  arrival rowversion not null,
  event_id uniqueidentifier not null,
  trigger_name nvarchar(400) not null,
  ordering_key binary(32) not null,
  constraint ordered_arrivals_arrival primary key (arrival) with (allow_page_locks = off)
)`,
    `alter table engine_catalog.ordered_arrivals set (lock_escalation = disable)`,
    `create table engine_catalog.ordered_events (
  failed bit not null,
  trigger_name nvarchar(400) not null,
  ordering_key binary(32) not null,
  place bigint not null,
  event_id uniqueidentifier not null constraint ordered_events_event unique,
  constraint ordered_events_place primary key (failed, trigger_name, ordering_key, place)
)`,
  ],
  [
    // Random keys of the clustered index would split its pages with every event.
    `alter table engine_catalog.event_log drop constraint event_log_new_id`,
    `alter table engine_catalog.event_log add constraint event_log_new_id default newsequentialid() for id`,
    `alter table engine_catalog.event_invocation_logs drop constraint event_invocation_logs_new_id`,
    `alter table engine_catalog.event_invocation_logs add constraint event_invocation_logs_new_id
  default newsequentialid() for id`,
  ],
];

/** Reverses the steps in the same order. No release had the first step only, whose recorders order events in another way. */
export const mssqlCatalogReversals: readonly (string | undefined)[] = [
  undefined,
  undefined,
  `alter table engine_catalog.event_log drop constraint event_log_new_id;
alter table engine_catalog.event_log add constraint event_log_new_id default newid() for id;
alter table engine_catalog.event_invocation_logs drop constraint event_invocation_logs_new_id;
alter table engine_catalog.event_invocation_logs add constraint event_invocation_logs_new_id default newid() for id`,
];
