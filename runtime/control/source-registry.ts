/**
 * The databases behind the sources of the metadata: opened once per configuration, introspected on request, closed when no
 * generation uses them.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { type FingerprintedShape, introspect, reintrospect } from "../../compiler/1-introspect/introspect.ts";
import type { SourceIntrospection } from "../../compiler/2-analyze/analysis.ts";
import type { Catalog } from "../../compiler/catalog/catalog.ts";
import type { QualifiedName, Source, Table } from "../../compiler/catalog/model.ts";
import { replacedTables } from "../../compiler/catalog/parts.ts";
import type { Query } from "../../compiler/dialects/dialect.ts";
import { dialectOf } from "../../compiler/dialects/index.ts";
import type { ReviewFacts } from "../../compiler/shape/review-facts.ts";
import type { Shape, TableShape } from "../../compiler/shape/shape.ts";
import type { TableDetails } from "../../compiler/shape/table-details.ts";
import { openSource } from "../databases/sources/open-source.ts";
import { routingOf } from "../databases/sources/routes.ts";
import type { DatabaseSource, SourceReport } from "../databases/sources/source.ts";
import { connectionInfoOf, type SourceSettings } from "../databases/sources/source-settings.ts";
import { EngineError } from "../values/errors.ts";
import { type ImportedShapes, noImportedShapes } from "./imported-shapes.ts";
import { checkNativeQueries, type NativeQueryChecks } from "./native-query-checks.ts";
import type { PrefetchingShapeStore } from "./stored-shapes.ts";

/** Result of the last introspection of a source. */
export interface IntrospectedSource {
  /** Identifies the configuration and the enum tables. A source with another key must be introspected again. */
  readonly key: string;
  /** Identifies the configuration without the enum tables, and thereby the database. */
  readonly connection: string;
  readonly introspection: SourceIntrospection;
  /** The shape with its fingerprint, if the database could be read. */
  readonly fingerprinted?: FingerprintedShape;
  readonly nativeQueries?: NativeQueryChecks;
}

/** An open transaction for introspecting a source, used instead of a new one. */
export interface OpenTransaction {
  readonly source: string;
  /** Runs a read. A failing statement leaves the transaction usable. */
  readonly query: Query;
}

type IntrospectionResult = Pick<IntrospectedSource, "introspection" | "fingerprinted">;

export interface SourceRegistrySettings extends SourceSettings {
  /** If true, native queries are validated by their databases. */
  readonly checkNativeQueries: boolean;
  readonly report?: SourceReport;
  /** Shapes stored by earlier starts. */
  readonly memory: PrefetchingShapeStore<FingerprintedShape>;
}

export type Introspections = ReadonlyMap<string, IntrospectedSource>;

interface OpenSource {
  readonly key: string;
  readonly database: DatabaseSource;
}

/** Removes the fingerprint, so that the catalogue is always read. */
async function withoutFingerprint(
  fingerprinted: FingerprintedShape | Promise<FingerprintedShape | undefined>,
): Promise<FingerprintedShape | undefined> {
  const { shape } = (await fingerprinted) ?? {};
  return shape && { shape, fingerprint: undefined };
}

export class SourceRegistry {
  readonly #settings: SourceRegistrySettings;
  #open = new Map<string, OpenSource>();
  /** Open databases, including those that are being closed. */
  readonly #databases = new Set<DatabaseSource>();
  readonly #users: ((database: DatabaseSource) => Promise<void>)[] = [];
  /** Stored shapes, by source. */
  readonly #stored = new Map<string, Shape>();
  readonly #executedSql = new Map<string, SourceIntrospection | undefined>();
  #imported: ImportedShapes<FingerprintedShape> = noImportedShapes;
  /** Enum tables by source, with the tables from which they were computed. */
  readonly #enums = new Map<string, { readonly tables: readonly Table[]; readonly enums: readonly QualifiedName[] }>();

  constructor(settings: SourceRegistrySettings) {
    this.#settings = settings;
  }

  /**
   * Returns the database of a source, opening it if necessary. A changed configuration opens a new database; the old one
   * stays open until `retain` is called without it.
   * @throws EngineError if its settings cannot be resolved
   */
  database(source: Source): DatabaseSource {
    const key = connectionKey(source);
    const open = this.#open.get(key);
    if (open) return open.database;
    const { configuration, name, kind } = source;
    const { environment, defaults, report } = this.#settings;
    const connectionInfo = connectionInfoOf({ name, given: configuration.connection_info }, defaults);
    const replicas = configuration.read_replicas;
    const routing = routingOf(configuration);
    const database = openSource({ name, kind, connectionInfo, replicas, routing }, environment, report);
    this.#open.set(key, { key, database });
    this.#databases.add(database);
    return database;
  }

  /** All open databases. */
  get databases(): readonly DatabaseSource[] {
    return [...this.#databases];
  }

  /**
   * Introspects sources that are new, changed, or in `reload`; keeps the results of all others.
   * @param forced sources whose catalogue is read even if its fingerprint is unchanged
   */
  async introspections(
    catalog: Catalog,
    known: Introspections,
    reload: ReadonlySet<string> = new Set(),
    forced: ReadonlySet<string> = new Set(),
    transaction?: OpenTransaction,
  ): Promise<Introspections> {
    const entries = await Promise.all(
      catalog.sources.map(async (source): Promise<readonly [string, IntrospectedSource]> => {
        const within = transaction?.source === source.name ? transaction.query : undefined;
        const connection = connectionKey(source);
        const key = `${connection} ${JSON.stringify(this.#enumTables(source))}`;
        const before = known.get(source.name);
        const isKnown = before?.key === key && !reload.has(source.name);
        const introspected = isKnown
          ? before
          : { key, connection, ...(await this.#introspect(source, key, before, { forced, within })) };
        return [source.name, await this.#withNativeQueries(source, introspected, within)];
      }),
    );
    return new Map(entries);
  }

  /**
   * Begins to read the stored shapes of these sources.
   * @returns resolves when the queries have been sent, since the caller's next step may block the event loop
   */
  async prefetch(names: readonly string[]): Promise<void> {
    this.#settings.memory.prefetch(names.filter((name) => !this.#imported.has(name)));
    await nextTurn();
  }

  /** Replaces introspections with shapes that another worker has just read, until the next call. */
  useImportedShapes(shapes: ImportedShapes<FingerprintedShape>): void {
    this.#imported = shapes;
  }

  /**
   * Records that `run_sql` has changed a database within the change in progress.
   * @param introspection introspection after the SQL, which is served if the change is stored; `undefined` if unknown
   */
  noteExecutedSql(source: string, introspection: SourceIntrospection | undefined): void {
    this.#executedSql.set(source, introspection);
  }

  /** Returns and clears the sources recorded by `noteExecutedSql`. */
  takeExecutedSql(): ReadonlyMap<string, SourceIntrospection | undefined> {
    const executed = new Map(this.#executedSql);
    this.#executedSql.clear();
    return executed;
  }

  async #introspect(
    source: Source,
    key: string,
    before: IntrospectedSource | undefined,
    { forced, within }: { readonly forced: ReadonlySet<string>; readonly within: Query | undefined },
  ): Promise<IntrospectionResult> {
    if (within !== undefined) {
      // A failure rejects: the change in the transaction is refused, and the source does not become inconsistent.
      const known = before?.connection === connectionKey(source) ? before.fingerprinted : undefined;
      const now = await reintrospect(dialectOf(source.kind), within, this.#enumTables(source), known);
      return { introspection: { shape: now.shape }, fingerprinted: now };
    }
    const imported = this.#imported.get(source.name);
    if (imported?.key === key) return { introspection: { shape: imported.shape.shape }, fingerprinted: imported.shape };
    const connection = connectionKey(source);
    const known = before?.connection === connection ? before.fingerprinted : undefined;
    // Not awaited: read concurrently with the fingerprint.
    const fingerprinted = known ?? this.#readStoredShape(source.name, connection);
    return this.#readDatabase(source, before, { fingerprinted, isForced: forced.has(source.name) });
  }

  async #readStoredShape(source: string, connection: string): Promise<FingerprintedShape | undefined> {
    const stored = await this.#settings.memory.find(source, connection);
    if (stored?.fingerprint !== undefined) this.#stored.set(source, stored.shape);
    return stored;
  }

  /** Reads the current shape of a source, without the rows of enum tables. Rejects with an EngineError. */
  async readShape(source: Source): Promise<Shape> {
    const dialect = dialectOf(source.kind);
    return this.database(source).transaction({ readOnly: true }, (transaction) =>
      introspect(dialect, (text) => transaction.query({ text }, [])),
    );
  }

  /** Reads the facts that `advise` needs. Rejects with an EngineError. */
  async readReviewFacts(source: Source): Promise<ReviewFacts> {
    const dialect = dialectOf(source.kind);
    return this.database(source).transaction({ readOnly: true }, (transaction) =>
      dialect.readReviewFacts((text) => transaction.query({ text }, [])),
    );
  }

  /** Reads the current details of a table; `null` if it does not exist. Rejects with an EngineError. */
  async describeTable(
    source: Source,
    name: QualifiedName,
  ): Promise<{ readonly table: TableShape; readonly details: TableDetails } | null> {
    const dialect = dialectOf(source.kind);
    return this.database(source).transaction({ readOnly: true }, async (transaction) => {
      const query: Query = (text) => transaction.query({ text }, []);
      const { tables } = await introspect(dialect, query);
      const table = tables.find((each) => each.schema === name.schema && each.name === name.name);
      return table ? { table, details: await dialect.readTableDetails(query, table) } : null;
    });
  }

  /** Checks new native queries; after an introspection of the source, checks all of them. */
  async #withNativeQueries(
    source: Source,
    introspected: IntrospectedSource,
    within: Query | undefined,
  ): Promise<IntrospectedSource> {
    const { introspection, nativeQueries: known = new Map() } = introspected;
    const dialect = dialectOf(source.kind);
    const hasChecks = this.#settings.checkNativeQueries && source.native_queries.length > 0;
    if (!hasChecks || !("shape" in introspection)) return introspected;
    const query = within ?? readerOf(this.database(source));
    const { checks, byRootField } = await checkNativeQueries(source, { query, dialect }, known);
    return { ...introspected, introspection: { ...introspection, nativeQueries: byRootField }, nativeQueries: checks };
  }

  /** Returns the names of sources whose databases respond. */
  async reachable(sources: readonly Source[]): Promise<ReadonlySet<string>> {
    const names = await Promise.all(
      sources.map(async (source) => {
        try {
          await this.database(source).query({ text: "select 1" }, []);
          return [source.name];
        } catch (error) {
          if (!(error instanceof EngineError)) throw error;
          return [];
        }
      }),
    );
    return new Set(names.flat());
  }

  /** Introspects a source. If its database cannot be read, the result contains the last known shape. */
  async #readDatabase(
    source: Source,
    before: IntrospectedSource | undefined,
    {
      fingerprinted,
      isForced,
    }: {
      readonly fingerprinted: FingerprintedShape | Promise<FingerprintedShape | undefined>;
      readonly isForced: boolean;
    },
  ): Promise<IntrospectionResult> {
    const dialect = dialectOf(source.kind);
    const known = isForced ? withoutFingerprint(fingerprinted) : fingerprinted;
    let database: DatabaseSource | undefined;
    try {
      database = this.database(source);
      const now = await database.transaction({ readOnly: true }, (transaction) =>
        reintrospect(dialect, (text) => transaction.query({ text }, []), this.#enumTables(source), known),
      );
      return { introspection: { shape: now.shape }, fingerprinted: now };
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      const failure = { error: { message: error.message, internal: error.internal } };
      // A stale shape is useless without connection settings.
      if (database === undefined) return { introspection: failure };
      const isSame = before?.connection === connectionKey(source);
      const staleShape = (isSame ? usableShape(before.introspection) : undefined) ?? (await fingerprinted)?.shape;
      return { introspection: staleShape === undefined ? failure : { ...failure, staleShape } };
    }
  }

  /** Returns the enum tables of a source. Compares only tables that were replaced, since there may be thousands. */
  #enumTables({ name, tables }: Source): readonly QualifiedName[] {
    const known = this.#enums.get(name);
    const replaced = known && replacedTables(known.tables, tables);
    const isSame = replaced?.every(({ before, after }) => before.is_enum === after.is_enum);
    const enums = isSame && known ? known.enums : tables.filter(({ is_enum }) => is_enum).map(({ table }) => table);
    this.#enums.set(name, { tables, enums });
    return enums;
  }

  /** Stores the served shapes, for a start when a database is unreachable. */
  store(introspections: Introspections): void {
    const { memory } = this.#settings;
    for (const [name, { connection, introspection, fingerprinted }] of introspections) {
      if (!("shape" in introspection) || this.#stored.get(name) === introspection.shape) continue;
      this.#stored.set(name, introspection.shape);
      memory.store(name, connection, { shape: introspection.shape, fingerprint: fingerprinted?.fingerprint });
    }
    const gone = [...this.#stored.keys()].filter((name) => !introspections.has(name));
    for (const name of gone) this.#stored.delete(name);
    if (gone.length > 0) memory.delete(gone);
  }

  /** Registers a user of databases. An unused database is closed after `user`, which never rejects, has released it. */
  beforeClosing(user: (database: DatabaseSource) => Promise<void>): void {
    this.#users.push(user);
  }

  /** Closes databases that none of these sources uses. Requests that hold a connection finish first. */
  retain(sources: readonly Source[]): readonly Promise<void>[] {
    const used = new Set(sources.map(connectionKey));
    const unused = [...this.#open.values()].filter(({ key }) => !used.has(key));
    for (const { key } of unused) this.#open.delete(key);
    const names = new Set(sources.map(({ name }) => name));
    for (const name of this.#enums.keys()) if (!names.has(name)) this.#enums.delete(name);
    return unused.map(({ database }) => this.#close(database));
  }

  async #close(database: DatabaseSource): Promise<void> {
    await Promise.all(this.#users.map((user) => user(database)));
    await database.close().finally(() => this.#databases.delete(database));
  }
}

/** Runs each statement in a separate transaction, so that a failing statement does not affect the next. */
function readerOf(database: DatabaseSource): Query {
  return (text) =>
    database.transaction({ readOnly: true, errors: "dml" }, (transaction) => transaction.query({ text }, []));
}

function usableShape(introspection: SourceIntrospection): Shape | undefined {
  return "shape" in introspection ? introspection.shape : introspection.staleShape;
}

function connectionKey({ name, kind, configuration }: Source): string {
  const { connection_info, read_replicas = [] } = configuration;
  const routing = routingOf(configuration);
  return JSON.stringify([name, kind, connection_info, ...read_replicas, ...(routing ? [routing] : [])]);
}
