/** Takes the steps of `migrations.ts` back, for an older version of the product: one entry each, in the same order. */

/** The first step cannot be taken back: that is what `engine clean` does. */
export const reversals: readonly (string | null)[] = [
  null,
  // Metadata in one row again.
  `
  create table engine_catalog.engine_metadata_before (
    id integer primary key check (id = 1),
    metadata json not null,
    resource_version integer not null default 1 unique
  );
  insert into engine_catalog.engine_metadata_before
    select id, metadata, resource_version from engine_catalog.engine_metadata where metadata is not null;
  drop view engine_catalog.engine_metadata;
  drop table engine_catalog.engine_metadata_part, engine_catalog.engine_metadata_version;
  alter table engine_catalog.engine_metadata_before rename to engine_metadata;
  `,
  `
  drop table engine_catalog.engine_cron_event_invocation_logs, engine_catalog.engine_cron_events,
    engine_catalog.engine_scheduled_event_invocation_logs, engine_catalog.engine_scheduled_events;
  `,
  "drop table engine_catalog.engine_source_shape;",
  "drop table engine_catalog.engine_secret;",
  // Nobody holds what is taken: instances of the older version take it again.
  ["cron", "scheduled"]
    .map(
      (kind) => `
  update engine_catalog.engine_${kind}_events set status = 'scheduled' where status = 'locked';
  drop index engine_catalog.engine_${kind}_events_locked, engine_catalog.engine_${kind}_events_due;
  alter table engine_catalog.engine_${kind}_events drop locked_by, drop locked_at;
  create index engine_${kind}_events_by_status on engine_catalog.engine_${kind}_events (status);
  `,
    )
    .join("") +
    `
  alter table engine_catalog.engine_scheduled_events drop signing_secret;
  drop index engine_catalog.engine_cron_events_of_trigger;
  drop table engine_catalog.engine_cron_schedules, engine_catalog.engine_server_instances;
  `,
  "drop table engine_catalog.engine_remote_shape;",
  "drop table engine_catalog.engine_action_log;",
  "drop table engine_catalog.engine_catalog_lock;",
];
