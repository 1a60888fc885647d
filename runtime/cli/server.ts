/** Options → a running server: databases, metadata, HTTP. Wiring only. */
import { randomUUID } from "node:crypto";
import { type Catalog, emptyCatalog } from "../../compiler/catalog/model.ts";
import { startAuthenticator } from "../auth/authenticate.ts";
import { decideAuthMode } from "../auth/mode.ts";
import { sessionOfVariables } from "../auth/session.ts";
import type { Options } from "../config/option-table.ts";
import type { Environment } from "../config/options.ts";
import { analysisOptions } from "../control/analysis-options.ts";
import { ControlPlane } from "../control/control-plane.ts";
import { GenerationBuilder } from "../control/generation-builder.ts";
import { healthService } from "../control/health.ts";
import { metadataService } from "../control/metadata-service.ts";
import { operatingMode } from "../control/operating-mode.ts";
import { RemoteSchemaRegistry } from "../control/remote-schema-registry.ts";
import { startSchemaSync } from "../control/schema-sync.ts";
import { SourceRegistry } from "../control/source-registry.ts";
import { type MetadataStore, openMetadataStore } from "../control/store.ts";
import { HttpClient } from "../deliver/http-client.ts";
import { dumpService } from "../execute/dump.ts";
import { admissionService, graphqlService, restService } from "../execute/execute.ts";
import { explainService } from "../execute/explain.ts";
import { InputValidator } from "../execute/input-validator.ts";
import { createApp } from "../http/app.ts";
import type { Log } from "../observe/log.ts";
import { bugReporter } from "../observe/report-bug.ts";
import { logPostgresConnection, logServerStarted } from "../observe/startup-log.ts";
import { redactUrl } from "../sources/connection-settings.ts";
import { LiveQueries, type LiveSettings } from "../subscribe/live-queries.ts";
import { type Databases, openDatabases } from "./databases.ts";
import { demoCatalog, seedDemo } from "./demo.ts";
import { version } from "./version.ts";

export interface ServerSettings {
  readonly options: Options;
  readonly environment: Environment;
  readonly log: Log;
  /** Serve the sample library. */
  readonly demo: boolean;
}

/** Of calls whose addresses stand in the metadata; how long they may take is said there, too. */
const webhookLimits = {
  milliseconds: 10_000,
  connections: 100,
  callsAtOnce: 10_000,
  responseBytes: 10 * 1024 * 1024,
  redirects: 5,
};

export interface Server {
  readonly port: number;
  readonly databases: Databases;
  /** Lets requests in progress finish, then ends everything that the server started. */
  close(): Promise<void>;
}

/**
 * Resolves when requests can be served.
 * @throws ConfigurationError, EmbeddedPostgresError, EngineError; then nothing is left running
 */
export async function startServer({ options, environment, log, demo }: ServerSettings): Promise<Server> {
  const started = performance.now();
  const authMode = decideAuthMode(options);
  const closers: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const databases = await openDatabases(options, environment, (message) => log.info("pg-client", { message }));
    closers.push(async () => databases.embedded?.stop());
    logPostgresConnection(log, options.retries, redactUrl(databases.metadataUrl));
    if (demo && databases.sourceUrl !== null) await seedDemo(databases.sourceUrl);
    const store = await openMetadataStore(databases.metadataUrl, randomUUID(), {
      retries: options.retries,
      migrate: !options.enableMaintenanceMode,
    });
    closers.push(() => store.close());
    const sources = sourceRegistry(options, databases);
    closers.push(async () => void (await Promise.all(sources.retain([]))));
    const initial = demo ? await demoCatalog() : initialCatalog(databases);
    const authenticator = await startAuthenticator(authMode, { log, version });
    closers.push(() => authenticator.close());
    const remoteSchemas = new RemoteSchemaRegistry(databases.environment);
    closers.push(() => remoteSchemas.close());
    const control = await startControl({ options, databases, store, sources, remoteSchemas, log }, initial);
    closers.push(() => control.idle());
    const sync = startSchemaSync({ control, store, log, pollMilliseconds: options.schemaSyncPollMilliseconds });
    closers.push(() => sync.stop());
    const live = new LiveQueries(liveSettings(options));
    const client = new HttpClient(webhookLimits, () => control.generation.tlsAllowlist);
    closers.push(() => client.close());
    const validator = new InputValidator({
      client,
      log,
      environment: databases.environment,
      version,
      configuredFirst: options.configuredHeaderPrecedence,
    });
    const planning = {
      stringifyNumbers: options.stringifyNumericTypes,
      nullCollapse: options.nullCollapse,
      validator,
    };
    const executing = {
      ...planning,
      nullInNonNullable: options.nullInNonNullableVariables,
      readOnly: options.enableReadOnlyMode,
      explainRefusals: options.devMode,
    };
    const services = {
      admission: admissionService(() => control.generation),
      graphql: graphqlService(() => control.generation, executing, live),
      relay: graphqlService(() => control.generation, { ...executing, api: "relay" }, live),
      rest: restService(() => control.generation, executing),
      explain: explainService(() => control.generation, sessionOfVariables, executing),
      dump: dumpService(() => control.generation.sources),
      metadata: metadataService(control, { ...planning, mode: operatingMode(options) }),
      health: healthService(control, store),
      authenticator,
      reportBug: bugReporter(log),
    };
    const app = createApp(services, { ...options, version }, log);
    control.onMetadataChange(() => {
      app.metadataChanged();
      live.metadataChanged().catch((bug: unknown) => services.reportBug(bug, ""));
    });
    const { port } = await app.listen();
    closers.push(() => app.close());
    logServerStarted(log, (performance.now() - started) / 1000);
    return { port, databases, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The metadata of a first start: the source `default` where an option names a database (`operations.md` 2). */
function initialCatalog({ sourceUrl }: Databases): Catalog {
  if (sourceUrl === null) return emptyCatalog;
  const configuration = { connection_info: { database_url: { from_env: "ENGINE_GRAPHQL_DATABASE_URL" } } };
  const lists = { tables: [], functions: [], native_queries: [], stored_procedures: [], logical_models: [] };
  return { ...emptyCatalog, sources: [{ name: "default", kind: "postgres", configuration, ...lists }] };
}

function liveSettings(options: Options): LiveSettings {
  const watchedSources = new Set(options.liveQueriesNotify.split(",").map((name) => name.trim()));
  const skipEmpty = options.experimentalFeatures.has("remove_empty_subscription_responses");
  return {
    live: {
      refetchMilliseconds: options.liveQueriesRefetchMilliseconds,
      batchSize: options.liveQueriesBatchSize,
      skipEmpty,
      watchedSources,
    },
    stream: {
      refetchMilliseconds: options.streamingQueriesRefetchMilliseconds,
      batchSize: options.streamingQueriesBatchSize,
      skipEmpty,
      watchedSources,
    },
  };
}

/** Pool settings of the options count for the source that the options name. */
function sourceRegistry(options: Options, { environment }: Databases): SourceRegistry {
  const prefix = options.dynamicSecretsPathPrefix;
  return new SourceRegistry({
    environment: { variables: environment, ...(prefix !== null && { dynamicSecretsPrefix: prefix }) },
    defaults: {
      pool_settings: {
        max_connections: options.connections,
        idle_timeout: options.idleTimeoutSeconds,
        connection_lifetime: options.connectionLifetimeSeconds,
        ...(options.poolTimeoutSeconds !== null && { pool_timeout: options.poolTimeoutSeconds }),
      },
      isolation_level: options.isolationLevel,
      ...(!options.usePreparedStatements && { use_prepared_statements: false }),
    },
    checkNativeQueries: !options.disableNativeQueryValidation,
  });
}

interface ControlSettings {
  readonly options: Options;
  readonly databases: Databases;
  readonly store: MetadataStore;
  readonly sources: SourceRegistry;
  readonly remoteSchemas: RemoteSchemaRegistry;
  readonly log: Log;
}

function startControl(settings: ControlSettings, initial: Catalog) {
  const { options, databases, store, sources, remoteSchemas, log } = settings;
  const parts = {
    store,
    sources,
    remoteSchemas,
    log,
    builder: new GenerationBuilder({
      sources,
      planCacheSize: options.queryPlanCacheSize,
      allowList: options.enableAllowlist ? options.allowlistScope : null,
    }),
    options: analysisOptions(options, databases.environment),
  };
  return ControlPlane.start(parts, initial);
}
