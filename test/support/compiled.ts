/**
 * Compiles metadata and a real database to generated code that serves requests: everything except HTTP and the store.
 */
import { introspect } from "../../compiler/1-introspect/introspect.ts";
import type { Analysis } from "../../compiler/2-analyze/analysis.ts";
import { analyze } from "../../compiler/2-analyze/analyze.ts";
import { emptyCatalog } from "../../compiler/catalog/catalog.ts";
import { readMetadataDocument } from "../../compiler/catalog/upgrade.ts";
import type { Result } from "../../compiler/diagnostics/diagnostic.ts";
import { postgres } from "../../compiler/dialects/postgres/introspect.ts";
import { compile } from "../../compiler/index.ts";
import type { Shape } from "../../compiler/shape/shape.ts";
import { parseOptions } from "../../runtime/config/options.ts";
import { type Compiled, compileAnalysis } from "../../runtime/control/compile-analysis.ts";
import { GenerationBuilder } from "../../runtime/control/generation-builder.ts";
import { CodeCache } from "../../runtime/control/load/code-cache.ts";
import { ModuleLoader } from "../../runtime/control/load/module-loader.ts";
import type { LoadedGeneration } from "../../runtime/control/loaded-generation.ts";
import { openSource } from "../../runtime/databases/sources/open-source.ts";
import type {
  DatabaseSource,
  PreparedStatement,
  Reads,
  SourceTransaction,
  SqlValue,
  TransactionOptions,
} from "../../runtime/databases/sources/source.ts";
import { ActionCalls } from "../../runtime/execute/actions/action-calls.ts";
import { InputValidator } from "../../runtime/execute/input-validator.ts";
import { RemoteRequests } from "../../runtime/execute/remote/remote-requests.ts";
import { graphqlService } from "../../runtime/execute/services.ts";
import { LiveQueries } from "../../runtime/execute/subscribe/live-queries.ts";
import type { EventTriggerDefinition } from "../../runtime/model/definitions/events/event-trigger.ts";
import type { RoleDefinition } from "../../runtime/model/definitions/roots.ts";
import * as support from "../../runtime/model/support/index.ts";
import { createLog } from "../../runtime/observe/logs/log.ts";
import { uninterrupted } from "../../runtime/ports/continuity.ts";
import { AdmittedSession } from "../../runtime/values/admitted-session.ts";
import { decoded } from "../../runtime/values/response-text.ts";
import { analysisOptions } from "./analysis-options.ts";

export function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.error.path}: ${result.error.message}`);
  return result.value;
}

const connectionInfo = {
  postgres: { database_url: "postgres://unused" },
  mssql: { connection_string: "Server=unused" },
} as const;

/**
 * Analyzes metadata with one source.
 * @param shape Shape of the source `default`
 * @param tables its `tables`
 * @param more other members of the metadata
 * @param inSource other members of the source
 * @param experimentalFeatures enabled features
 */
function analyzeShape(
  shape: Shape,
  tables: readonly unknown[],
  more: Readonly<Record<string, unknown>> = {},
  inSource: Readonly<Record<string, unknown>> = {},
  experimentalFeatures: readonly string[] = [],
) {
  const configuration = { connection_info: connectionInfo[shape.kind] };
  const sources = [{ ...inSource, name: "default", kind: shape.kind, tables, configuration }];
  const metadata = { ...more, version: 3, sources };
  return analyzeMetadata(new Map([["default", { shape }]]), metadata, experimentalFeatures);
}

/** Analyzes metadata. @param introspections introspection results by source */
function analyzeMetadata(
  introspections: ReadonlyMap<string, { readonly shape: Shape }>,
  metadata: unknown,
  experimentalFeatures: readonly string[] = [],
) {
  const catalog = must(readMetadataDocument(metadata, emptyCatalog));
  return {
    catalog,
    analysis: must(
      analyze({
        catalog,
        introspections,
        options: { ...analysisOptions, experimentalFeatures: new Set(experimentalFeatures) },
      }),
    ),
  };
}

const cache = new CodeCache();

/** Compiles a Shape without its database, so that the operations of its roles can be planned. */
export function compileShape(...source: Parameters<typeof analyzeShape>) {
  const { analysis } = analyzeShape(...source);
  const program = compile({ analysis });
  const loader = new ModuleLoader({ program, support, cache });
  return {
    analysis,
    eventTriggers: () =>
      program
        .eventTriggers()
        .map((path) => (loader.require(path) as { readonly trigger: EventTriggerDefinition }).trigger),
    role: (name: string) => (loader.require(program.roleModule(name)) as { readonly role: RoleDefinition }).role,
  };
}

/** Settings for planning and execution; no services are called. */
export const execution = {
  stringifyNumbers: false,
  nullCollapse: false,
  nullInNonNullable: false,
  readOnly: false,
  explainRefusals: false,
  continuity: uninterrupted,
  remote: new RemoteRequests({
    client: { callThen: () => Promise.reject(new Error("nothing is called here")) },
    environment: {},
    version: "test",
    prioritizeData: false,
    skipNulls: false,
  }),
  actions: new ActionCalls({
    client: { callThen: () => Promise.reject(new Error("nothing is called here")) },
    log: createLog(parseOptions({}, {}), { write: () => undefined }),
    environment: {},
    version: "test",
    configuredFirst: false,
    redactLogs: false,
    visibility: { devMode: false, adminInternalErrors: true },
    calls: undefined,
    now: Date.now,
  }),
  validator: new InputValidator({
    client: { call: () => Promise.reject(new Error("nothing is called here")) },
    log: createLog(parseOptions({}, {}), { write: () => undefined }),
    environment: {},
    version: "test",
    configuredFirst: false,
  }),
};

/** Polling settings of subscriptions. */
export const polling = {
  refetchMilliseconds: 1000,
  batchSize: 100,
  skipEmpty: false,
  watchedSources: new Set<string>(),
};

/** A statement as sent to the database. */
export interface SentStatement {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/** The execution mode of a TestEngine; results must not depend on it. */
export interface Mode {
  /** If true, plans are cached across requests. */
  readonly keepsPlans: boolean;
  /** If true, small reads are batched. */
  readonly batches: boolean;
  /** If true, statements are prepared under names. */
  readonly prepares: boolean;
  /** If true, all rows that no stage looks into are read as bytes, otherwise none. */
  readonly readsBytes: boolean;
}

export const usualMode: Mode = { keepsPlans: true, batches: true, prepares: true, readsBytes: true };

/** A source beside that of a TestEngine. */
export interface OtherSource {
  readonly shape: Shape;
  readonly database: DatabaseSource;
}

/** A database with replaceable metadata, which runs requests. */
export class TestEngine {
  /** Statements sent for requests, except those in transactions of several statements. */
  readonly sent: SentStatement[] = [];
  /** Statements sent in transactions of several statements. */
  readonly sentInTransactions: SentStatement[] = [];
  readonly #database: DatabaseSource;
  readonly #builder: GenerationBuilder;
  #compiled: Compiled | undefined;
  #generation: LoadedGeneration | undefined;
  #graphql: ReturnType<typeof graphqlService> | undefined;

  readonly #others: ReadonlyMap<string, OtherSource>;
  readonly #mode: Mode;

  /**
   * Creates an engine.
   * @param url URL of the source `default`
   * @param others other sources by name; the caller closes them
   */
  constructor(url: string, others: ReadonlyMap<string, OtherSource> = new Map(), mode: Mode = usualMode) {
    this.#others = others;
    this.#mode = mode;
    const connectionInfo = { database_url: url, ...(mode.prepares ? {} : { use_prepared_statements: false }) };
    const address = { name: "default", kind: "postgres", connectionInfo };
    const minByteRow = mode.readsBytes ? 0 : Number.POSITIVE_INFINITY;
    this.#database = openSource(address, { variables: {}, minByteRow });
    const noting = this.#noting();
    this.#builder = new GenerationBuilder({
      sources: { database: ({ name }) => others.get(name)?.database ?? noting },
      planCacheSize: 1000,
      relayCipher: null,
      guard: { allowList: null, unauthorized: null },
    });
  }

  /**
   * Introspects and compiles.
   * @param tables the `tables` of the source `default`
   * @param more other members of the metadata
   */
  track(tables: readonly unknown[], more: Readonly<Record<string, unknown>> = {}): Promise<Analysis> {
    const configuration = { connection_info: connectionInfo.postgres };
    return this.load({ ...more, version: 3, sources: [{ name: "default", kind: "postgres", tables, configuration }] });
  }

  /**
   * Introspects and compiles.
   * @param metadata complete metadata of `default` and the other sources
   * @param changed returns the shape to compile
   */
  async load(metadata: unknown, changed: (shape: Shape) => Shape = (shape) => shape): Promise<Analysis> {
    const introspected = await this.#database.transaction({ readOnly: true }, (transaction) =>
      introspect(postgres, (text) => transaction.query({ text }, [])),
    );
    const shape = changed(introspected);
    const { catalog, analysis } = analyzeMetadata(
      new Map<string, Pick<OtherSource, "shape">>([["default", { shape }], ...this.#others]),
      metadata,
    );
    this.#compiled = compileAnalysis({ analysis, planning: execution, code: cache, previous: this.#compiled });
    const state = { catalog, ...this.#compiled, resourceVersion: 1 };
    const generation = this.#builder.build(state, this.#mode.keepsPlans ? this.#generation : undefined);
    this.#generation = generation;
    const live = new LiveQueries({ settings: { live: polling, stream: polling }, continuity: uninterrupted });
    this.#graphql = graphqlService(() => generation, execution, live);
    return analysis;
  }

  /** Returns the parsed `data` of a response. @throws EngineError if the request fails */
  async ask(...request: Parameters<TestEngine["text"]>): Promise<unknown> {
    return JSON.parse(await this.text(...request));
  }

  /** Returns the JSON text of `data`. @throws EngineError if the request fails */
  async text(
    role: string,
    query: string,
    session: Readonly<Record<string, string>> = {},
    variables: Readonly<Record<string, unknown>> | null = null,
  ): Promise<string> {
    if (!this.#graphql) throw new Error("nothing is tracked yet");
    if (!this.#mode.keepsPlans) this.forgetPlans();
    const sender = { role, variables: new Map(Object.entries(session)), backendOnly: false };
    return decoded(await this.#graphql.execute({ query, operationName: null, variables }, new AdmittedSession(sender)));
  }

  /** Returns what requests run on. */
  served(): { readonly analysis: Analysis; readonly generation: LoadedGeneration } {
    if (!this.#compiled || !this.#generation) throw new Error("nothing is tracked yet");
    return { analysis: this.#compiled.analysis, generation: this.#generation };
  }

  eventTriggers(): readonly EventTriggerDefinition[] {
    return this.#generation?.eventTriggers() ?? [];
  }

  /** Drops the cached plans. */
  forgetPlans(): void {
    this.#generation?.plans.clear();
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  #notingTransaction(transaction: SourceTransaction): SourceTransaction {
    const note = ({ text }: PreparedStatement, values: readonly SqlValue[]) =>
      this.sentInTransactions.push({ text, values });
    return new Proxy(transaction, {
      get(inner, name) {
        if (name === "query" || name === "queryLast") {
          return (statement: PreparedStatement, values: readonly SqlValue[]) => {
            note(statement, values);
            return inner[name](statement, values);
          };
        }
        const member: unknown = Reflect.get(inner, name, inner);
        return typeof member === "function" ? member.bind(inner) : member;
      },
    });
  }

  /** Returns the database with a recorder of the statements that requests send. */
  #noting(): DatabaseSource {
    const { batches } = this.#mode;
    const note = ({ text }: PreparedStatement, values: readonly SqlValue[]) => this.sent.push({ text, values });
    const noteTransaction = (transaction: SourceTransaction) => this.#notingTransaction(transaction);
    const reads = <Row>(on: Reads<Row>): Reads<Row> => ({
      query: (statement, values, caller) => {
        note(statement, values);
        // A statement that is executed alone is never batched.
        return batches ? on.query(statement, values, caller) : on.executeAlone({ caller }, statement, values);
      },
      executeAlone: (options, statement, values) => {
        note(statement, values);
        return on.executeAlone(options, statement, values);
      },
    });
    return new Proxy(this.#database, {
      get(database, name) {
        if (name === "query" || name === "executeAlone") return reads(database)[name];
        if (name === "bytes") return database.bytes && reads(database.bytes);
        if (name === "execute") {
          return (statement: PreparedStatement, values: readonly SqlValue[]) => {
            note(statement, values);
            return database.execute(statement, values);
          };
        }
        if (name === "transaction") {
          return <T>(options: TransactionOptions, work: (transaction: SourceTransaction) => Promise<T>) =>
            database.transaction(options, (transaction) => work(noteTransaction(transaction)));
        }
        const member: unknown = Reflect.get(database, name, database);
        return typeof member === "function" ? member.bind(database) : member;
      },
    });
  }
}
