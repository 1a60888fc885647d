/**
 * Stores the metadata, in parts and with its resource version, in the schema `engine_catalog` of the metadata database.
 * Every write is a single atomic statement. It checks the expected version, so that one of two concurrent changes is
 * refused.
 */
import { randomBytes } from "node:crypto";
import type { MetadataPart, PartChanges } from "../../compiler/catalog/parts.ts";
import { Secret } from "../config/secret.ts";
import type { MetadataDatabase } from "../databases/metadata/metadata-database.ts";
import { type MetadataDatabaseOptions, openMetadataDatabase } from "../databases/metadata/open.ts";
import { EngineError, invariant } from "../values/errors.ts";
import { stringifyJson } from "../values/json-number.ts";
import { type ChangeOrigin, unknownOrigin } from "./change-origin.ts";
import { noReloads, notificationOf, type Reloads, reloadsSince } from "./reloads.ts";

export interface StoredMetadata {
  /** The metadata document, assembled from its parts. */
  readonly metadata: unknown;
  readonly resourceVersion: number;
}

interface StoredReloads extends Reloads {
  /** Age of the last change in seconds, by the clock of the metadata database; `undefined` without changes. */
  readonly ageSeconds: number | undefined;
}

/** State that tools store next to the metadata. */
interface CatalogState {
  /** ID of the metadata database. */
  readonly id: string;
  readonly cliState: unknown;
  readonly consoleState: unknown;
}

/** An exclusive right to store the next version, until `release`. */
export interface Reservation extends Pick<MetadataStore, "write"> {
  /** Never rejects. */
  release(): Promise<void>;
}

export interface MetadataStore {
  /** Returns the stored metadata; `undefined` in a new installation. */
  read(): Promise<StoredMetadata | undefined>;
  /** Returns the stored version. */
  version(): Promise<number | undefined>;
  /** Stores the first metadata as version 1. Does nothing if there is any already. */
  create(parts: readonly MetadataPart[]): Promise<void>;
  /**
   * Changes parts of the metadata and raises the version by one.
   * @param reloads sources and remote schemas that other instances have to introspect again; none by default
   * @param origin stored in the history, in the same statement
   * @throws EngineError 409 `conflict` if the stored version is not `expected`
   */
  write(changes: PartChanges, expected: number, reloads?: Reloads, origin?: ChangeOrigin): Promise<void>;
  /**
   * Blocks all other writers, for changes that commit in a source before they are stored here.
   * @throws EngineError 409 `conflict` if the stored version is not `expected`, or if another transaction locks the
   * version for too long
   */
  reserve(expected: number): Promise<Reservation>;
  /** Returns the sources and remote schemas that changes after this version have introspected again. */
  reloadsSince(version: number): Promise<StoredReloads>;
  /**
   * Calls `onChange` when any instance has, or may have, stored metadata, and `onCall` after each `callAll`.
   * @returns a function that stops listening
   */
  listen(onChange: () => void, onCall: () => void): () => Promise<void>;
  /** Runs `onCall` in all processes that listen on this database. */
  callAll(): Promise<void>;
  /** Calls `onMessage` after each NOTIFY on a channel, and without a payload if notifications may have been missed. */
  listenTo(channel: string, onMessage: (payload?: string) => void): () => Promise<void>;
  catalogState(): Promise<CatalogState>;
  /** @param state JSON text */
  setCatalogState(tool: "cli" | "console", state: string): Promise<void>;
  /**
   * Returns a secret shared by all instances. Generated randomly on first use.
   * @returns `null` if another version of the engine owns the tables and has no secrets (maintenance mode)
   */
  secret(name: string): Promise<Secret | null>;
  /** Runs a statement on tables next to the metadata. */
  query(text: string, values: readonly unknown[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Rejects within seconds if the database does not respond. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface MetadataStoreOptions extends MetadataDatabaseOptions {
  /** Number of changes that the history contains; 100 by default. */
  readonly historySize?: number;
}

/**
 * Connects and migrates the tables.
 * @throws EngineError `start-failed` with the host but without the password
 */
export async function openMetadataStore(
  url: string,
  instanceId: string,
  { historySize = 100, ...options }: MetadataStoreOptions,
): Promise<MetadataStore> {
  const database = await openMetadataDatabase(url, options);
  const writing = { instanceId, historySize };
  return {
    read: () => read(database),
    version: () => version(database),
    create: (parts) => create(database, parts),
    write: (changes, expected, reloads = noReloads, origin = unknownOrigin) =>
      write(database, changes, { ...writing, expected, reloads, origin }),
    reserve: (expected) => reserve(database, expected, writing),
    reloadsSince: async (version) => {
      const { rows } = await database.query<{ notification: unknown; age: number | null }>(
        `select notification, extract(epoch from clock_timestamp() - updated_at)::double precision as age
         from engine_catalog.engine_schema_notifications`,
      );
      const [row] = rows;
      return { ...reloadsSince(version, row?.notification), ageSeconds: row?.age ?? undefined };
    },
    listen: (onChange, onCall) =>
      database.listen(channel, (payload) => (payload === instanceCall ? onCall() : onChange())),
    callAll: async () => {
      await database.query("select pg_notify($1, $2)", [channel, instanceCall]);
    },
    listenTo: (other, onMessage) => database.listen(other, onMessage),
    catalogState: () => catalogState(database),
    setCatalogState: async (tool, state) => {
      await database.query(`update engine_catalog.engine_version set ${tool}_state = $1`, [state]);
    },
    secret: (name) => secret(database, name),
    query: async (text, values) => (await database.query(text, values)).rows,
    ping: () => database.ping(),
    close: () => database.close(),
  };
}

async function read(database: MetadataDatabase): Promise<StoredMetadata | undefined> {
  const text = "select metadata, resource_version from engine_catalog.engine_metadata";
  try {
    const { rows } = await database.query<{ metadata: unknown; resource_version: number }>(text);
    const [row] = rows;
    return row && { metadata: row.metadata, resourceVersion: row.resource_version };
  } catch (error) {
    const isInvalidJson = error instanceof Error && "code" in error && error.code === "22P02";
    throw isInvalidJson ? unreadable("a part is not a JSON object", { cause: error }) : error;
  }
}

/** Returns the error for stored metadata that the engine cannot have written. */
export function unreadable(reason: string, { path = "$", cause }: { path?: string; cause: unknown }): EngineError {
  const message = `the metadata in the metadata database cannot be read: ${reason}, at ${path}`;
  return new EngineError("unexpected", path, message, { status: 500, cause });
}

async function version(database: MetadataDatabase): Promise<number | undefined> {
  const { rows } = await database.query<{ resource_version: number }>(
    "select resource_version from engine_catalog.engine_metadata_version",
  );
  return rows[0]?.resource_version;
}

async function catalogState(database: MetadataDatabase): Promise<CatalogState> {
  const { rows } = await database.query<{ id: string; cli: unknown; console: unknown }>(
    "select engine_uuid::text as id, cli_state as cli, console_state as console from engine_catalog.engine_version",
  );
  const [row] = rows;
  invariant(row, "the metadata database has a row with its version");
  return { id: row.id, cliState: row.cli, consoleState: row.console };
}

async function secret(database: MetadataDatabase, name: string): Promise<Secret | null> {
  const table = "engine_catalog.engine_secret";
  const found = await database.query<{ exists: boolean }>("select to_regclass($1) is not null as exists", [table]);
  if (!found.rows[0]?.exists) return null;
  // If several instances start at once, the secret of the first instance is kept.
  const generated = randomBytes(32).toString("base64");
  await database.query(`insert into ${table} (name, value) values ($1, $2) on conflict do nothing`, [name, generated]);
  const { rows } = await database.query<{ value: string }>(`select value from ${table} where name = $1`, [name]);
  invariant(rows[0], "a secret exists after its insertion");
  return new Secret(rows[0].value);
}

/** Returns parts as array parameters: their keys, then their JSON texts. */
function columnsOf(parts: readonly MetadataPart[]): readonly string[][] {
  return [
    parts.map(({ source }) => source),
    parts.map(({ schema }) => schema),
    parts.map(({ name }) => name),
    parts.map(({ value }) => stringifyJson(value)),
  ];
}

async function create(database: MetadataDatabase, parts: readonly MetadataPart[]): Promise<void> {
  await database.query(
    `with version as (
       insert into engine_catalog.engine_metadata_version (id) values (1) on conflict do nothing returning id
     )
     insert into engine_catalog.engine_metadata_part
     select part.* from version, unnest($1::text[], $2::text[], $3::text[], $4::json[]) as part
     on conflict do nothing`,
    columnsOf(parts),
  );
}

interface Writing {
  readonly instanceId: string;
  readonly historySize: number;
}

interface WriteOptions extends Writing {
  /** Currently stored version. */
  readonly expected: number;
  readonly reloads: Reloads;
  readonly origin: ChangeOrigin;
}

/** Writes in one statement and one round trip, and only if the stored version is the expected one. */
async function write(
  database: Pick<MetadataDatabase, "query">,
  { written, removed }: PartChanges,
  { expected, instanceId, reloads, historySize, origin }: WriteOptions,
): Promise<void> {
  // All parts of the statement see the tables before it, so that the history receives the previous values.
  const { rowCount } = await database.query(
    `with version as (
       update engine_catalog.engine_metadata_version set resource_version = resource_version + 1
       where resource_version = $1
       returning resource_version
     ), removed as (
       delete from engine_catalog.engine_metadata_part as part
       using version, unnest($3::text[], $4::text[], $5::text[]) as gone (source, table_schema, table_name)
       where (part.source, part.table_schema, part.table_name) = (gone.source, gone.table_schema, gone.table_name)
     ), written as (
       insert into engine_catalog.engine_metadata_part
       select part.* from version, unnest($6::text[], $7::text[], $8::text[], $9::json[]) as part
       on conflict (source, table_schema, table_name) do update set value = excluded.value
     ), entered as (
       insert into engine_catalog.engine_metadata_history (resource_version, role, user_name, operations)
       select resource_version, $12, $13, $14::text[] from version where $11 > 0
     ), kept_before as (
       insert into engine_catalog.engine_metadata_history_part
       select version.resource_version, changed.source, changed.table_schema, changed.table_name, part.value
       from version, (
           select gone.*, null::json from unnest($3::text[], $4::text[], $5::text[]) as gone
           union all select part.* from unnest($6::text[], $7::text[], $8::text[], $9::json[]) as part
         ) as changed (source, table_schema, table_name, value)
         left join engine_catalog.engine_metadata_part as part using (source, table_schema, table_name)
       where $11 > 0 and part.value::text is distinct from changed.value::text
     ), outdated as (
       delete from engine_catalog.engine_metadata_history as old using version
       where old.resource_version <= version.resource_version - $11::integer
     ), outdated_parts as (
       delete from engine_catalog.engine_metadata_history_part as old using version
       where old.resource_version <= version.resource_version - $11::integer
     ), notified as (
       insert into engine_catalog.engine_schema_notifications as kept (id, notification, resource_version, instance_id, updated_at)
       select 1, $10::json, resource_version, $2, clock_timestamp() from version
       on conflict (id) do update set notification = json_build_object(
           'sources', ${merged("sources")}, 'remote_schemas', ${merged("remote_schemas")}),
         resource_version = excluded.resource_version, instance_id = excluded.instance_id, updated_at = excluded.updated_at
     )
     select pg_notify('${channel}', '') from version`,
    [
      expected,
      instanceId,
      removed.map(({ source }) => source),
      removed.map(({ schema }) => schema),
      removed.map(({ name }) => name),
      ...columnsOf(written),
      stringifyJson(notificationOf(expected + 1, reloads)),
      historySize,
      origin.role,
      origin.user,
      origin.operations,
    ],
  );
  if (rowCount !== 1) throw versionConflict(expected);
}

/** Maximum time that a reservation waits for another transaction to release the version. */
const reservationTimeout = "5s";

async function reserve(database: MetadataDatabase, expected: number, writing: Writing): Promise<Reservation> {
  const transaction = await database.begin();
  try {
    await transaction.query(`set local lock_timeout = '${reservationTimeout}'`);
    const { rowCount } = await transaction.query(
      "select from engine_catalog.engine_metadata_version where resource_version = $1 for update",
      [expected],
    );
    if (rowCount !== 1) throw versionConflict(expected);
  } catch (error) {
    await transaction.rollback();
    throw isLockTimeout(error) ? heldConflict(error) : error;
  }
  let isOpen = true;
  return {
    write: async (changes, version, reloads = noReloads, origin = unknownOrigin) => {
      await write(transaction, changes, { ...writing, expected: version, reloads, origin });
      isOpen = false;
      await transaction.commit();
    },
    release: async () => {
      if (isOpen) await transaction.rollback();
      isOpen = false;
    },
  };
}

const isLockTimeout = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "55P03";

function heldConflict(cause: unknown): EngineError {
  const message = `a transaction has held the metadata's resource version for ${reservationTimeout}; end it and try again`;
  return new EngineError("conflict", "$", message, { status: 409, cause });
}

const merged = (member: string): string =>
  `coalesce(kept.notification::jsonb -> '${member}', '{}') || (excluded.notification::jsonb -> '${member}')`;

/** Returns the error for a change that is based on a version other than the stored one. */
export function versionConflict(expected: number): EngineError {
  return new EngineError(
    "conflict",
    "$",
    `metadata resource version referenced (${expected}) did not match current version`,
    { status: 409 },
  );
}

const channel = "engine_metadata";
/** Message on the channel that is no change of the metadata; earlier releases take it for one and read the version. */
const instanceCall = "instances";
