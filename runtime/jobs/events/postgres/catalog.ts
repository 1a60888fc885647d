/** PostgreSQL: the tables of event triggers in a source, and its recorders in the system catalogs. */
import { postgres } from "../../../model/dialects/postgres/dialect.ts";
import type { Refusal, SourceCatalog } from "../catalog-statements.ts";
import type { InstalledRecorder } from "../installed-recorder.ts";
import { postgresCatalogMigrations } from "./catalog-migrations.ts";
import { postgresCatalogReversals } from "./catalog-reversals.ts";

/** Key of the advisory lock for changes of recorders. */
const lock = 7_242_342;

const takeLock = `select pg_catalog.pg_advisory_xact_lock(${lock})::text`;

const version = "engine_catalog.engine_source_catalog_version";

export const postgresCatalog: SourceCatalog = {
  migrations: postgresCatalogMigrations.map((step) => [step]),
  reversals: postgresCatalogReversals,
  liveInstances: `select count(*)::text from engine_catalog.engine_instances
    where seen_at > pg_catalog.clock_timestamp() - pg_catalog.make_interval(secs => $1::text::integer)`,
  // Less than `deadlock_timeout`, so that in a deadlock this transaction fails and not the other one.
  opening: ["set local lock_timeout = '500ms'", takeLock],
  joining: ["set local lock_timeout = '5s'", takeLock, "set local lock_timeout to default"],
  presence: `select case when exists (select from pg_catalog.pg_namespace where nspname = 'engine_catalog') then 't' else 'f' end,
    case when pg_catalog.to_regclass('${version}') is null then 'f' else 't' end`,
  createSchema: "create schema engine_catalog",
  createVersion: `
    create table ${version} (
      version text not null,
      upgraded_on timestamptz not null,
      step integer not null,
      catalog_id uuid not null default pg_catalog.gen_random_uuid(),
      -- The metadata that recorders were last installed for: older metadata leaves them alone.
      metadata_version bigint,
      installation text,
      instance text,
      installed_at timestamptz
    );
    create unique index engine_source_catalog_version_one_row on ${version} ((version is not null));
    insert into ${version} (version, upgraded_on, step) values ('4', pg_catalog.now(), 0)`,
  readVersion: `select step::text, metadata_version::text, installation, instance,
    case when installed_at > pg_catalog.clock_timestamp() - interval '1 minute' then 't' else 'f' end, catalog_id::text
    from ${version}`,
  writeStep: `update ${version} set step = $1::text::integer, upgraded_on = pg_catalog.now()`,
  writeClaim: `update ${version} set metadata_version = $1::text::bigint, installation = $2, instance = $3,
    installed_at = pg_catalog.clock_timestamp()`,
  // Copies of a trigger on partitions are created and dropped with it.
  installed: `select p.proname::text, n.nspname::text, c.relname::text,
      case t.tgenabled when 'O' then null when 'A' then 'always' when 'D' then 'disabled' when 'R' then 'replica' end,
      p.prosrc
    from pg_catalog.pg_proc p
      join pg_catalog.pg_namespace s on s.oid = p.pronamespace
      left join pg_catalog.pg_trigger t on t.tgfoid = p.oid and not t.tgisinternal
        and coalesce(pg_catalog.to_jsonb(t) ->> 'tgparentid', '0') = '0'
      left join pg_catalog.pg_class c on c.oid = t.tgrelid
      left join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where s.nspname = 'engine_catalog' and p.proname ~ '^notify_engine_.*_(INSERT|UPDATE|DELETE)$'
    order by p.proname`,
  drop: ({ name, table }: InstalledRecorder) => {
    const quoted = postgres.quoteIdentifier(name);
    const target = table && `${postgres.quoteIdentifier(table.schema)}.${postgres.quoteIdentifier(table.name)}`;
    return [
      ...(target === undefined ? [] : [`drop trigger if exists ${quoted} on ${target}`]),
      `drop function if exists engine_catalog.${quoted}()`,
    ];
  },
  removeTables: [
    "drop function if exists engine_catalog.unpack_one",
    `drop table if exists engine_catalog.event_log, engine_catalog.event_invocation_logs,
      engine_catalog.engine_event_log_cleanups, engine_catalog.engine_instances, engine_catalog.packed_events, ${version}`,
    "drop sequence if exists engine_catalog.event_ordering",
    `drop function if exists engine_catalog.insert_event_log(text, text, text, text, json),
      engine_catalog.ordering_key(jsonb), engine_catalog.notify_of_events(), engine_catalog.gen_engine_uuid(),
      engine_catalog.event_json(json), engine_catalog.storable_event_json(json), engine_catalog.event_setting(text),
      engine_catalog.event_trace(),
      engine_catalog.unpack_events(integer), engine_catalog.unpack_all_events()`,
    // The schema may also contain the metadata tables and the functions of live queries.
    `do $$ begin
      if not exists (
        select from pg_catalog.pg_depend
        where refclassid = 'pg_catalog.pg_namespace'::pg_catalog.regclass and deptype = 'n'
          and refobjid = pg_catalog.to_regnamespace('engine_catalog')
      ) then drop schema if exists engine_catalog; end if;
    end $$`,
  ],
  unpackAll: "select engine_catalog.unpack_all_events()",
  archive: `update engine_catalog.event_log set archived = true
    where not archived and trigger_name in (select pg_catalog.json_array_elements_text($1::text::json))`,
  archiveOthers: `update engine_catalog.event_log set archived = true
    where not delivered and not error and not archived
      -- Always true; each part implies the predicate of an index.
      and (ordering_key is null or ordering_key is not null)
      and trigger_name not in (select pg_catalog.json_array_elements_text($1::text::json))`,
  bounded: (statement) => statement,
  refusal: (cause) => refusals.get(String(Object(cause).code)),
  // A recorder depends on the changed columns, or fails because a column was renamed.
  isBlocked: (cause) => {
    const { message, detail, where } = Object(cause);
    return [message, detail, where].some((text) => /\bnotify_engine_.*_(?:INSERT|UPDATE|DELETE)\b/.test(String(text)));
  },
};

const refusals: ReadonlyMap<string, Refusal> = new Map([
  ["55P03", "busy"],
  ["40P01", "busy"],
  ["42501", "forbidden"],
  ["25006", "read-only"],
]);
