/**
 * The databases behind the sources of the metadata: opened once per configuration, introspected when asked, closed
 * when no Generation needs them any more.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { introspect, introspectAgain, type SeenShape } from "../../compiler/1-introspect/introspect.ts";
import type { SourceIntrospection } from "../../compiler/2-analyze/analysis.ts";
import type { Catalog } from "../../compiler/catalog/catalog.ts";
import type { QualifiedName, Source, Table } from "../../compiler/catalog/model.ts";
import { replacedTables } from "../../compiler/catalog/replaced-tables.ts";
import type { Query } from "../../compiler/dialects/dialect.ts";
import { dialectOf } from "../../compiler/dialects/index.ts";
import type { Shape, TableShape } from "../../compiler/shape/shape.ts";
import type { TableDetails } from "../../compiler/shape/table-details.ts";
import { openSource } from "../databases/sources/open-source.ts";
import { routingOf } from "../databases/sources/routes.ts";
import type { DatabaseSource, SourceReport } from "../databases/sources/source.ts";
import { connectionInfoOf, type SourceSettings } from "../databases/sources/source-settings.ts";
import { EngineError } from "../values/errors.ts";
import type { ExpectingMemory } from "./kept-shapes.ts";
import { checkNativeQueries, type NativeQueryAnswers } from "./native-query-checks.ts";
import { nothingOffered, type OfferedShapes } from "./offered-shapes.ts";

/** What one source had when it was last looked at. */
export interface IntrospectedSource {
  /** The configuration and the enum tables that were looked at: another one needs another look. */
  readonly key: string;
  /** The configuration alone: a Shape is that of one database. */
  readonly connection: string;
  readonly introspection: SourceIntrospection;
  /** How the database was seen last, where it could be read. */
  readonly seen?: SeenShape;
  /** What the database said of native queries. */
  readonly nativeQueries?: NativeQueryAnswers;
}

/** The transaction in which the database of a source is read, in place of one of its own. */
export interface OpenTransaction {
  readonly source: string;
  /** Reads; a statement that fails leaves the transaction usable. */
  readonly query: Query;
}

type Looked = Pick<IntrospectedSource, "introspection" | "seen">;

export interface SourceRegistrySettings extends SourceSettings {
  /** Whether databases are asked if they understand native queries. */
  readonly checkNativeQueries: boolean;
  readonly report?: SourceReport;
  /** Shapes of earlier starts. */
  readonly memory: ExpectingMemory<SeenShape>;
}

export type Introspections = ReadonlyMap<string, IntrospectedSource>;

interface OpenSource {
  readonly key: string;
  readonly database: DatabaseSource;
}

/** The same, so that the catalogue is read in any case. */
async function withoutFingerprint(seen: SeenShape | Promise<SeenShape | undefined>): Promise<SeenShape | undefined> {
  const { shape } = (await seen) ?? {};
  return shape && { shape, fingerprint: undefined };
}

export class SourceRegistry {
  readonly #settings: SourceRegistrySettings;
  #open = new Map<string, OpenSource>();
  /** With those that are being closed. */
  readonly #databases = new Set<DatabaseSource>();
  readonly #users: ((database: DatabaseSource) => Promise<void>)[] = [];
  readonly #remembered = new Map<string, Shape>();
  readonly #executed = new Map<string, SourceIntrospection | undefined>();
  #offered: OfferedShapes<SeenShape> = nothingOffered;
  /** The enum tables of each source, with the tables that they are of. */
  readonly #enums = new Map<string, { readonly tables: readonly Table[]; readonly enums: readonly QualifiedName[] }>();

  constructor(settings: SourceRegistrySettings) {
    this.#settings = settings;
  }

  /**
   * The database of a source, opened when it was not yet. A changed configuration gets a database of its own; the old
   * one stays open until `retain` is told what is in use.
   * @throws EngineError when its settings cannot be resolved
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

  /** Every database on which statements may run. */
  get databases(): readonly DatabaseSource[] {
    return [...this.#databases];
  }

  /**
   * Looks at the sources that are new, changed, or in `reload`; keeps what it knows of the others.
   * @param anew sources whose catalogue is read whatever its fingerprint says
   */
  async introspections(
    catalog: Catalog,
    known: Introspections,
    reload: ReadonlySet<string> = new Set(),
    anew: ReadonlySet<string> = new Set(),
    transaction?: OpenTransaction,
  ): Promise<Introspections> {
    const entries = await Promise.all(
      catalog.sources.map(async (source): Promise<readonly [string, IntrospectedSource]> => {
        const within = transaction?.source === source.name ? transaction.query : undefined;
        const connection = connectionKey(source);
        const key = `${connection} ${JSON.stringify(this.#enumTables(source))}`;
        const before = known.get(source.name);
        const isKnown = before?.key === key && !reload.has(source.name);
        const looked = isKnown
          ? before
          : { key, connection, ...(await this.#find(source, key, before, { anew, within })) };
        return [source.name, await this.#withNativeQueries(source, looked, within)];
      }),
    );
    return new Map(entries);
  }

  /**
   * Begins to read what earlier starts kept of these sources.
   * @returns resolves when the question is on its way: what comes next may hold up all else
   */
  async expect(names: readonly string[]): Promise<void> {
    this.#settings.memory.expect(names.filter((name) => !this.#offered.has(name)));
    await nextTurn();
  }

  /** Takes these in place of looking, from now on: another process of the server has just looked. */
  offer(shapes: OfferedShapes<SeenShape>): void {
    this.#offered = shapes;
  }

  /**
   * Notes that an administrator's SQL has changed a database within the change in progress.
   * @param introspection of the source after the SQL, which is served if the change is stored; `undefined`: unknown
   */
  executed(source: string, introspection: SourceIntrospection | undefined): void {
    this.#executed.set(source, introspection);
  }

  /** Returns what was noted since the last call, by source. */
  takeExecuted(): ReadonlyMap<string, SourceIntrospection | undefined> {
    const executed = new Map(this.#executed);
    this.#executed.clear();
    return executed;
  }

  async #find(
    source: Source,
    key: string,
    before: IntrospectedSource | undefined,
    { anew, within }: { readonly anew: ReadonlySet<string>; readonly within: Query | undefined },
  ): Promise<Looked> {
    if (within !== undefined) {
      // A failure is not one of the source: it refuses the change that the transaction belongs to.
      const known = before?.connection === connectionKey(source) ? before.seen : undefined;
      const now = await introspectAgain(dialectOf(source.kind), within, this.#enumTables(source), known);
      return { introspection: { shape: now.shape }, seen: now };
    }
    const offered = this.#offered.get(source.name);
    if (offered?.key === key) return { introspection: { shape: offered.shape.shape }, seen: offered.shape };
    const connection = connectionKey(source);
    const known = before?.connection === connection ? before.seen : undefined;
    // Read while the database is asked.
    const seen = known ?? this.#recall(source.name, connection);
    return this.#look(source, before, { seen, isReadAnew: anew.has(source.name) });
  }

  async #recall(source: string, connection: string): Promise<SeenShape | undefined> {
    const kept = await this.#settings.memory.find(source, connection);
    if (kept?.fingerprint !== undefined) this.#remembered.set(source, kept.shape);
    return kept;
  }

  /** The Shape of a source as it is now, without the rows of enum tables. Rejects with an EngineError. */
  async shape(source: Source): Promise<Shape> {
    const dialect = dialectOf(source.kind);
    return this.database(source).transaction({ readOnly: true }, (transaction) =>
      introspect(dialect, (text) => transaction.query({ text }, [])),
    );
  }

  /** One table as it is now; `null`: there is none of this name. Rejects with an EngineError. */
  async described(
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

  /** Asks about native queries that are new, or about all of them where the database was looked at anew. */
  async #withNativeQueries(
    source: Source,
    looked: IntrospectedSource,
    within: Query | undefined,
  ): Promise<IntrospectedSource> {
    const { introspection, nativeQueries: known = new Map() } = looked;
    const dialect = dialectOf(source.kind);
    const isAsked = this.#settings.checkNativeQueries && source.native_queries.length > 0;
    if (!isAsked || !("shape" in introspection)) return looked;
    const query = within ?? readerOf(this.database(source));
    const { answers, byQuery } = await checkNativeQueries(source, { query, dialect }, known);
    return { ...looked, introspection: { ...introspection, nativeQueries: byQuery }, nativeQueries: answers };
  }

  /** The sources whose databases answer. */
  async reachable(sources: readonly Source[]): Promise<ReadonlySet<string>> {
    const answers = await Promise.all(
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
    return new Set(answers.flat());
  }

  /** A database that cannot be read keeps the Shape that it had when it was last read. */
  async #look(
    source: Source,
    before: IntrospectedSource | undefined,
    { seen, isReadAnew }: { readonly seen: SeenShape | Promise<SeenShape | undefined>; readonly isReadAnew: boolean },
  ): Promise<Looked> {
    const dialect = dialectOf(source.kind);
    const known = isReadAnew ? withoutFingerprint(seen) : seen;
    let database: DatabaseSource | undefined;
    try {
      database = this.database(source);
      const now = await database.transaction({ readOnly: true }, (transaction) =>
        introspectAgain(dialect, (text) => transaction.query({ text }, []), this.#enumTables(source), known),
      );
      return { introspection: { shape: now.shape }, seen: now };
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      const failure = { error: { message: error.message, internal: error.internal } };
      // Without connection settings there is nothing that could serve the source.
      if (database === undefined) return { introspection: failure };
      const isSame = before?.connection === connectionKey(source);
      const staleShape = (isSame ? lastShape(before.introspection) : undefined) ?? (await seen)?.shape;
      return { introspection: staleShape === undefined ? failure : { ...failure, staleShape } };
    }
  }

  /** Found by what changed since they were last asked for: there may be thousands of tables. */
  #enumTables({ name, tables }: Source): readonly QualifiedName[] {
    const known = this.#enums.get(name);
    const replaced = known && replacedTables(known.tables, tables);
    const isSame = replaced?.every(({ before, after }) => before.is_enum === after.is_enum);
    const enums = isSame && known ? known.enums : tables.filter(({ is_enum }) => is_enum).map(({ table }) => table);
    this.#enums.set(name, { tables, enums });
    return enums;
  }

  /** Keeps the Shapes that are served for a start when a database cannot be reached. */
  remember(introspections: Introspections): void {
    const { memory } = this.#settings;
    for (const [name, { connection, introspection, seen }] of introspections) {
      if (!("shape" in introspection) || this.#remembered.get(name) === introspection.shape) continue;
      this.#remembered.set(name, introspection.shape);
      memory.keep(name, connection, { shape: introspection.shape, fingerprint: seen?.fingerprint });
    }
    const gone = [...this.#remembered.keys()].filter((name) => !introspections.has(name));
    for (const name of gone) this.#remembered.delete(name);
    if (gone.length > 0) memory.forget(gone);
  }

  /** Waits for this before a database is closed that no source uses any more. It never rejects. */
  beforeClosing(user: (database: DatabaseSource) => Promise<void>): void {
    this.#users.push(user);
  }

  /** Closes what none of these sources uses. Requests that hold a connection finish first. */
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

/** Runs each statement in a transaction of its own: one that is refused must not spoil the next. */
function readerOf(database: DatabaseSource): Query {
  return (text) =>
    database.transaction({ readOnly: true, errors: "dml" }, (transaction) => transaction.query({ text }, []));
}

function lastShape(introspection: SourceIntrospection): Shape | undefined {
  return "shape" in introspection ? introspection.shape : introspection.staleShape;
}

function connectionKey({ name, kind, configuration }: Source): string {
  const { connection_info, read_replicas = [] } = configuration;
  const routing = routingOf(configuration);
  return JSON.stringify([name, kind, connection_info, ...read_replicas, ...(routing ? [routing] : [])]);
}
