/**
 * Metadata at rest: its parts and its resource version, in the schema `engine_catalog` of the metadata database. Every
 * write compares the version it read, so that of two simultaneous changes one is refused, and is one statement, so
 * that nobody ever finds half of it.
 */
import { randomBytes } from "node:crypto";
import type { MetadataPart, PartChanges } from "../../compiler/catalog/parts.ts";
import { Secret } from "../config/secret.ts";
import type { MetadataDatabase } from "../databases/metadata/metadata-database.ts";
import { type MetadataDatabaseOptions, openMetadataDatabase } from "../databases/metadata/open.ts";
import { EngineError, invariant } from "../values/errors.ts";
import { stringifyJson } from "../values/json-number.ts";
import { noReloads, type Reloads, reloadsSince, toldIn } from "./reloads.ts";

export interface StoredMetadata {
  /** The metadata document, put together from its parts. */
  readonly metadata: unknown;
  readonly resourceVersion: number;
}

/** What tools store beside the metadata. */
interface CatalogState {
  /** Of the installation. */
  readonly id: string;
  readonly cliState: unknown;
  readonly consoleState: unknown;
}

/** The right to store the version after the reserved one, which nobody else can store until `release`. */
export interface Reservation extends Pick<MetadataStore, "write"> {
  /** Never rejects. */
  release(): Promise<void>;
}

export interface MetadataStore {
  /** What is stored; `undefined` on a fresh installation. */
  read(): Promise<StoredMetadata | undefined>;
  /** The stored version alone. */
  version(): Promise<number | undefined>;
  /** Stores the first metadata, as version 1; does nothing where there is some already. */
  create(parts: readonly MetadataPart[]): Promise<void>;
  /**
   * Changes parts of the metadata and raises the version by one.
   * @param reloads what the other instances have to look at anew; nothing unless given
   * @throws EngineError 409 `conflict` when the stored version is not `expected`
   */
  write(changes: PartChanges, expected: number, reloads?: Reloads): Promise<void>;
  /**
   * Makes all other writers wait, for changes that commit elsewhere before they are stored here.
   * @throws EngineError 409 `conflict` when the stored version is not `expected`, or a transaction holds it for long
   */
  reserve(expected: number): Promise<Reservation>;
  /** What changes after this version have looked at anew. */
  reloadsSince(version: number): Promise<Reloads>;
  /**
   * Calls `onChange` when any instance has stored metadata, or may have.
   * @returns what ends it
   */
  listen(onChange: () => void): () => Promise<void>;
  /** Calls `onMessage` after each NOTIFY on another channel, and without a payload when some may have been missed. */
  listenTo(channel: string, onMessage: (payload?: string) => void): () => Promise<void>;
  catalogState(): Promise<CatalogState>;
  /** @param state JSON text */
  setCatalogState(tool: "cli" | "console", state: string): Promise<void>;
  /**
   * A secret that all instances share; made at random when it is first asked for.
   * @returns `null` when another version of the engine owns the tables, and has none (maintenance mode)
   */
  secret(name: string): Promise<Secret | null>;
  /** One statement on the tables beside the metadata. */
  query(text: string, values: readonly unknown[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Rejects when the database does not answer, within seconds. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Connects and brings the tables up to date.
 * @throws EngineError `start-failed` naming the host, with the password hidden
 */
export async function openMetadataStore(
  url: string,
  instanceId: string,
  options: MetadataDatabaseOptions,
): Promise<MetadataStore> {
  const database = await openMetadataDatabase(url, options);
  return {
    read: () => read(database),
    version: () => version(database),
    create: (parts) => create(database, parts),
    write: (changes, expected, reloads = noReloads) => write(database, changes, { expected, instanceId, reloads }),
    reserve: (expected) => reserve(database, expected, instanceId),
    reloadsSince: async (version) => {
      const kept = "select notification from engine_catalog.engine_schema_notifications";
      const { rows } = await database.query<{ notification: unknown }>(kept);
      return reloadsSince(version, rows[0]?.notification);
    },
    listen: (onChange) => database.listen(channel, () => onChange()),
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
    const isNoJson = error instanceof Error && "code" in error && error.code === "22P02";
    throw isNoJson ? unreadable("a part of it is no JSON object", { cause: error }) : error;
  }
}

/** Returns the error for stored metadata that the engine has not written. */
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
  invariant(row, "the metadata database has no row of its own version");
  return { id: row.id, cliState: row.cli, consoleState: row.console };
}

async function secret(database: MetadataDatabase, name: string): Promise<Secret | null> {
  const table = "engine_catalog.engine_secret";
  const found = await database.query<{ exists: boolean }>("select to_regclass($1) is not null as exists", [table]);
  if (!found.rows[0]?.exists) return null;
  // Of several instances that start at once the first one's stays.
  const made = randomBytes(32).toString("base64");
  await database.query(`insert into ${table} (name, value) values ($1, $2) on conflict do nothing`, [name, made]);
  const { rows } = await database.query<{ value: string }>(`select value from ${table} where name = $1`, [name]);
  invariant(rows[0], "a secret is there after it was made");
  return new Secret(rows[0].value);
}

/** The written parts as parameters: what they belong to, then their JSON texts. */
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
  /** The version that is stored. */
  readonly expected: number;
  readonly instanceId: string;
  readonly reloads: Reloads;
}

/** One statement and one round trip: nothing of it happens unless the version is the expected one. */
async function write(
  database: Pick<MetadataDatabase, "query">,
  { written, removed }: PartChanges,
  { expected, instanceId, reloads }: Writing,
): Promise<void> {
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
     ), notified as (
       insert into engine_catalog.engine_schema_notifications as kept (id, notification, resource_version, instance_id)
       select 1, $10::json, resource_version, $2 from version
       on conflict (id) do update set notification = json_build_object(
           'sources', ${merged("sources")}, 'remote_schemas', ${merged("remote_schemas")}),
         resource_version = excluded.resource_version, instance_id = excluded.instance_id, updated_at = now()
     )
     select pg_notify('${channel}', '') from version`,
    [
      expected,
      instanceId,
      removed.map(({ source }) => source),
      removed.map(({ schema }) => schema),
      removed.map(({ name }) => name),
      ...columnsOf(written),
      stringifyJson(toldIn(expected + 1, reloads)),
    ],
  );
  if (rowCount !== 1) throw versionConflict(expected);
}

/** How long a reservation waits for a transaction that holds the version. */
const reservationPatience = "5s";

async function reserve(database: MetadataDatabase, expected: number, instanceId: string): Promise<Reservation> {
  const transaction = await database.begin();
  try {
    await transaction.query(`set local lock_timeout = '${reservationPatience}'`);
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
    write: async (changes, version, reloads = noReloads) => {
      await write(transaction, changes, { expected: version, instanceId, reloads });
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
  const message = `a transaction has held the metadata's resource version for ${reservationPatience}; end it and try again`;
  return new EngineError("conflict", "$", message, { status: 409, cause });
}

const merged = (member: string): string =>
  `coalesce(kept.notification::jsonb -> '${member}', '{}') || (excluded.notification::jsonb -> '${member}')`;

/** The answer to a change that was made on another version than the stored one (`metadata-api.md` 1.5). */
export function versionConflict(expected: number): EngineError {
  return new EngineError(
    "conflict",
    "$",
    `metadata resource version referenced (${expected}) did not match current version`,
    { status: 409 },
  );
}

const channel = "engine_metadata";
