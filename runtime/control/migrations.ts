/** The product's own tables in the metadata database, brought forward by numbered steps (`operations.md` 15). */

/** One step; its number is its place in the list, starting at 1. Steps are never edited, only added. */
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
];
