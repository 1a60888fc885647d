/**
 * Generations of a world as a server creates them in sequence, on databases that record statements and return nothing.
 */
import { analyze } from "../../../../compiler/2-analyze/analyze.ts";
import { type Catalog, emptyCatalog } from "../../../../compiler/catalog/catalog.ts";
import { readMetadataDocument } from "../../../../compiler/catalog/upgrade.ts";
import type { Program } from "../../../../compiler/index.ts";
import { type Compiled, compileAnalysis } from "../../../../runtime/control/compile-analysis.ts";
import { GenerationBuilder } from "../../../../runtime/control/generation-builder.ts";
import { CodeCache } from "../../../../runtime/control/load/code-cache.ts";
import type { LoadedGeneration } from "../../../../runtime/control/loaded-generation.ts";
import type { DatabaseSource, SourceTransaction, SqlValue } from "../../../../runtime/databases/sources/source.ts";
import { InputValidator } from "../../../../runtime/execute/input-validator.ts";
import type { ExecuteOptions } from "../../../../runtime/execute/options.ts";
import { planOperation } from "../../../../runtime/execute/plan-operation.ts";
import { RemoteRequests } from "../../../../runtime/execute/remote/remote-requests.ts";
import { graphqlService } from "../../../../runtime/execute/services.ts";
import { LiveQueries } from "../../../../runtime/execute/subscribe/live-queries.ts";
import type { HttpClient } from "../../../../runtime/outbound/http-client.ts";
import { uninterrupted } from "../../../../runtime/ports/continuity.ts";
import { AdmittedSession } from "../../../../runtime/values/admitted-session.ts";
import { EngineError } from "../../../../runtime/values/errors.ts";
import { analysisOptions } from "../../../support/analysis-options.ts";
import { execution, must, polling } from "../../../support/compiled.ts";
import type { SentOperation } from "./sent-operations.ts";
import { metadataOf, remotesOf, shapesOf, type World } from "./world.ts";

/** Receives the messages sent to databases and webhooks. */
type Note = (sent: readonly unknown[]) => void;

/** A row with the same number in every column. */
const row: readonly SqlValue[] = Array.from({ length: 50 }, () => "1");

function notingDatabase(name: string, url: string, note: Note): DatabaseSource {
  const answer = async (text: string, values: readonly SqlValue[]) => {
    note([url, text, values]);
    return [row];
  };
  const database: Pick<DatabaseSource, "name" | "query" | "execute" | "executeAlone" | "transaction"> = {
    name,
    query: ({ text }, values) => answer(text, values),
    execute: ({ text }, values) => answer(text, values),
    executeAlone: (_, { text }, values) => answer(text, values),
    transaction: (_, work) => {
      const query: SourceTransaction["query"] = ({ text }, values) => answer(text, values);
      return work({ query, queryLast: query } as SourceTransaction);
    },
  };
  return database as DatabaseSource;
}

interface Served {
  readonly world: World;
  readonly catalog: Catalog;
  readonly compiled: Compiled;
  readonly generation: LoadedGeneration;
}

/** A server that applies changes. */
export class WorldServer {
  readonly #code: CodeCache;
  readonly #builder: GenerationBuilder;
  readonly #databases = new Map<string, DatabaseSource>();
  readonly #validator: InputValidator;
  readonly #remote: RemoteRequests;
  #sent: (readonly unknown[])[] = [];
  #served: Served | undefined;

  /** Creates a server. @param code modules shared with earlier servers */
  constructor(code = new CodeCache()) {
    this.#code = code;
    const note: Note = (sent) => void this.#sent.push(sent);
    this.#builder = new GenerationBuilder({
      sources: {
        database: ({ name, configuration }) => {
          const url = JSON.stringify(configuration.connection_info);
          const database = this.#databases.get(url) ?? notingDatabase(name, url, note);
          this.#databases.set(url, database);
          return database;
        },
      },
      planCacheSize: 1000,
      relayCipher: null,
      guard: { allowList: null, unauthorized: null },
    });
    const call = async ({ url }: { readonly url: string }) => {
      note([url]);
      return { status: 200, headers: new Headers(), text: "" };
    };
    this.#validator = new InputValidator({
      client: { call } as never,
      log: { info: () => undefined } as never,
      environment: {},
      version: "test",
      configuredFirst: false,
    });
    const callThen: HttpClient["callThen"] = async ({ url, body }, read) => {
      note([url, body]);
      return read({ status: 200, headers: {}, text: '{"data": {"now": "wet"}}' });
    };
    const more = { environment: {}, version: "test", prioritizeData: false, skipNulls: false };
    this.#remote = new RemoteRequests({ client: { callThen }, ...more });
  }

  get generation(): LoadedGeneration {
    if (this.#served === undefined) throw new Error("a world is served");
    return this.#served.generation;
  }

  get program(): Program {
    if (this.#served === undefined) throw new Error("a world is served");
    return this.#served.compiled.program;
  }

  /** Compiles a world on top of the served one without serving it; `undefined` if it cannot be served. */
  draft(world: World): Served | undefined {
    const catalog = must(readMetadataDocument(metadataOf(world), this.#served?.catalog ?? emptyCatalog));
    const previous = this.#served?.compiled;
    const analysis = analyze({
      catalog,
      introspections: shapesOf(world),
      remoteIntrospections: remotesOf(world),
      options: { ...analysisOptions, experimentalFeatures: new Set(["apollo_federation"]) },
      previous: previous?.program.analysis,
    });
    if (!analysis.ok) return undefined;
    const { planning } = world;
    const compiled = compileAnalysis({ analysis: analysis.value, planning, code: this.#code, previous });
    const state = { catalog, ...compiled, resourceVersion: 1 };
    return { world, catalog, compiled, generation: this.#builder.build(state, this.#served?.generation) };
  }

  /** Returns whether the world is served. */
  serve(world: World): boolean {
    const served = this.draft(world);
    if (served === undefined) return false;
    this.#served = served;
    const used = new Set(served.generation.sources.values());
    for (const [url, database] of this.#databases) if (!used.has(database)) this.#databases.delete(url);
    return true;
  }

  /** Sends an operation. Returns its result or error, and all messages to databases and webhooks. */
  async ask({ role, backendOnly, api, query, variables }: SentOperation): Promise<unknown> {
    const { generation } = this;
    const options: ExecuteOptions = {
      ...execution,
      ...this.#served?.world.planning,
      validator: this.#validator,
      remote: this.#remote,
      ...(api === "relay" && { api }),
    };
    const live = new LiveQueries({ settings: { live: polling, stream: polling }, continuity: uninterrupted });
    const service = graphqlService(() => generation, options, live);
    const session = { role, variables: new Map([["x-engine-user-id", "7"]]), backendOnly };
    this.#sent = [];
    const request = { query, operationName: null, variables };
    try {
      if (query.startsWith("subscription")) {
        const { plan, statements } = planOperation(generation, request, session, {
          ...options,
          subscriptions: true,
        }).plan;
        return { parts: plan.parts, statements, multiplexed: plan.statements.map((each) => each.multiplexed?.text) };
      }
      const answer = await service.execute(request, new AdmittedSession(session));
      return { answer, sent: this.#sent };
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      const { code, path, message, internal } = error;
      return { code, path, message, internal, sent: this.#sent };
    }
  }
}
