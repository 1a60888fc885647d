/** Opens the parts of a live server (`parts/assemble.ts`): databases, metadata, and services for administrators. */
import { randomUUID } from "node:crypto";
import type { Options } from "../../config/option-table.ts";
import type { Environment } from "../../config/options.ts";
import { analysisOptions, backendDefaults, planOptions } from "../../control/analysis-options.ts";
import { AuditLog } from "../../control/audit-log.ts";
import { noIntrospections } from "../../control/compile-state.ts";
import { ControlPlane } from "../../control/control-plane.ts";
import { EventRecorders } from "../../control/event-recorders.ts";
import { GenerationBuilder } from "../../control/generation-builder.ts";
import { checkedSources, watchHealth } from "../../control/health.ts";
import { InstanceRollCall, ownProcess } from "../../control/instance-roll-call.ts";
import { CodeCache } from "../../control/load/code-cache.ts";
import { metadataService, noticeLines } from "../../control/metadata-service.ts";
import { operatingMode } from "../../control/operating-mode.ts";
import { RemoteSchemaRegistry } from "../../control/remote-schema-registry.ts";
import { startSchemaSync } from "../../control/schema-sync.ts";
import { SourceRegistry } from "../../control/source-registry.ts";
import { initialCatalog, type State } from "../../control/state.ts";
import { type MetadataStore, openMetadataStore } from "../../control/store.ts";
import { remoteShapes, StoredShapes, sourceShapes } from "../../control/stored-shapes.ts";
import { SuspensionWatch } from "../../control/suspension-watch.ts";
import { exportShapes, importShapes } from "../../control/worker-shapes.ts";
import { redactUrl } from "../../databases/sources/connection-settings.ts";
import { SourceHealthChecks } from "../../databases/sources/health/source-health-checks.ts";
import { logSourceReports, sourceSettings } from "../../databases/sources/source-settings.ts";
import { dumpService } from "../../execute/dump.ts";
import { explainService } from "../../execute/explain.ts";
import { guardSettings } from "../../execute/guard/guard-rules.ts";
import { planOperation } from "../../execute/plan-operation.ts";
import { decideAuthMode } from "../../http/auth/mode.ts";
import { sessionOfVariables } from "../../http/auth/session.ts";
import { RelayCipher } from "../../model/relay/cipher.ts";
import type { Log } from "../../observe/logs/log.ts";
import { RoleUsage } from "../../observe/logs/role-usage.ts";
import { SlowOperations } from "../../observe/logs/slow-operations.ts";
import { logPostgresConnection, warnAtStartup } from "../../observe/logs/startup-log.ts";
import { logCatalogMigration, logSchemaSync } from "../../observe/logs/startup-steps.ts";
import type { ToolCallLog } from "../../observe/logs/tool-calls.ts";
import { ServerTelemetry } from "../../observe/telemetry/server-telemetry.ts";
import { type Continuity, uninterrupted } from "../../ports/continuity.ts";
import type { Meters } from "../../ports/metrics.ts";
import type { Services } from "../../ports/services.ts";
import type { Siblings } from "../../ports/siblings.ts";
import { ResponseMemory } from "../../values/response-memory.ts";
import type { HostParts } from "../config-module/host-config.ts";
import { assemble, openAuthenticator } from "../parts/assemble.ts";
import type { Scheduling } from "../parts/scheduling.ts";
import { rotateEnvironment, type SecretRotation } from "../parts/secret-rotation.ts";
import type { Started } from "../parts/start.ts";
import { type Databases, openDatabases } from "./databases.ts";

export interface ServerSettings {
  readonly options: Options;
  readonly environment: Environment;
  readonly log: Log;
  readonly version: string;
  /** The sample for a first start without metadata, or `null`. */
  readonly sample: Sample | null;
  /** The hooks and checks of a host program, if any. */
  readonly host?: HostParts;
  /** The other worker processes, if any. */
  readonly siblings?: Siblings | undefined;
  /** Open databases, which the caller closes. If absent, the configured databases are opened. */
  readonly databases?: Databases;
  /** New values of secrets in files; absent if there are none. */
  readonly secrets?: SecretRotation | undefined;
}

/** Sample tables, rows and metadata. */
export interface Sample {
  /** Creates tables and rows unless they exist. */
  seed(databaseUrl: string): Promise<void>;
  catalog(): Promise<State["catalog"]>;
}

/**
 * Resolves when operations can run.
 * @param started receives the functions that close the parts
 * @throws ConfigurationError, EmbeddedPostgresError, EngineError
 */
export async function openServices(started: Started, settings: ServerSettings) {
  const { log, siblings } = settings;
  const storage = await openStorage(started, settings);
  const { databases, store, telemetry, responseMemory, environment } = storage;
  const { control, sources, authenticator, instances } = await openControl(started, settings, storage);
  const continuity = followOtherInstances(started, settings, { control, store });
  const health = watchSources(started, { control, sources, store, log, meters: telemetry.meters });
  const configureTelemetry = (): Promise<void> => {
    const { opentelemetry: definition, metrics_config: metrics, network } = control.state.catalog;
    return telemetry.configure({ definition, metrics, environment, uncheckedHosts: network.tls_allowlist });
  };
  control.onFollow(configureTelemetry);
  await configureTelemetry();
  const { requests, automation, toolCalls, services } = await assemble(started, {
    ...settings,
    environment,
    telemetry,
    authenticator,
    responseMemory,
    generation: () => control.generation,
    continuity,
    databases: () => sources.databases,
    database: {
      query: (text, values) => store.query(text, values),
      time: () => null,
      listen: (channel, onMessage) => store.listenTo(channel, onMessage),
    },
    installation: async () => (await store.catalogState()).id,
    cronTriggers: () => control.state.catalog.cron_triggers.map(({ name }) => name),
    kindOf: (name) => control.state.catalog.sources.find((source) => source.name === name)?.kind,
  });
  const { eventing, scheduling, acting } = automation;
  control.onMetadataChange(() => {
    requests.metadataChanged().catch((bug: unknown) => services.reportBug(bug, ""));
  });
  control.onMetadataChange(() => eventing.refresh());
  control.onMetadataChange(() => acting.refresh());
  control.onFollow(() => scheduling.refresh());
  sources.beforeClosing((database) => eventing.ended(database));
  siblings?.onFollow({
    version: () => control.state.resourceVersion,
    follow: (handed) => control.follow(handed),
    hand: () => exportShapes(control.state, noIntrospections),
  });
  const administration = administrationOf({
    settings,
    environment,
    control,
    requests,
    scheduling,
    instances,
    toolCalls,
  });
  const { rootFields } = requests;
  const all = { ...services, ...administration, health } satisfies Services;
  return { databases, control, sources, services: all, rootFields, health, delivering: [eventing, scheduling, acting] };
}

type Storage = Awaited<ReturnType<typeof openStorage>>;

/** Opens the metadata database and telemetry. */
async function openStorage(
  started: Started,
  { options, environment: given, log, version, sample, siblings, databases: passed, secrets }: ServerSettings,
) {
  const authMode = decideAuthMode(options);
  const telemetry = new ServerTelemetry({ options, log, version, siblings });
  started.add(() => telemetry.close());
  const databases = passed ?? (await openDatabases(options, given, log));
  if (passed === undefined) started.add(async () => databases.embedded?.stop());
  logPostgresConnection(log, options.retries, redactUrl(databases.metadataUrl));
  if (databases.sourceUrl !== null) await sample?.seed(databases.sourceUrl);
  const instanceId = randomUUID();
  const environment = { ...databases.environment };
  secrets?.follow(rotateEnvironment(environment));
  let { metadataUrl } = databases;
  secrets?.follow(({ options: rotated }) => () => {
    metadataUrl = (rotated.metadataDatabaseUrl ?? rotated.databaseUrl)?.reveal() ?? metadataUrl;
  });
  const store = await openMetadataStore(databases.metadataUrl, instanceId, {
    retries: options.retries,
    historySize: options.metadataHistorySize,
    migrate: !options.enableMaintenanceMode,
    currentUrl: () => metadataUrl,
    onMigrated: (from, to) => logCatalogMigration(log, { from, to }),
  });
  if (options.enableMaintenanceMode) logCatalogMigration(log, undefined);
  started.add(() => store.close());
  const responseMemory = new ResponseMemory(options.maxBufferedResponseBytes);
  return { authMode, telemetry, databases, environment, instanceId, store, responseMemory };
}

/** Opens sources and remote schemas, and compiles the metadata. */
async function openControl(started: Started, settings: ServerSettings, storage: Storage) {
  const { options, log, version, sample, siblings } = settings;
  const { databases, environment, store, telemetry, responseMemory } = storage;
  const { meters } = telemetry;
  const memory = new StoredShapes(sourceShapes(version), store, log);
  const remoteMemory = new StoredShapes(remoteShapes, store, log);
  started.add(() => Promise.all([memory.close(), remoteMemory.close()]));
  const sources = new SourceRegistry({
    ...sourceSettings(options, environment, { responseMemory, meters, siblings }),
    memory,
    report: logSourceReports(log),
    checkNativeQueries: !options.disableNativeQueryValidation,
  });
  started.add(() => Promise.all(sources.retain([])));
  const initial = (await sample?.catalog()) ?? initialCatalog(databases.sourceUrl !== null);
  const authenticator = await openAuthenticator(started, settings, storage.authMode);
  const remoteSchemas = new RemoteSchemaRegistry(environment, {
    memory: remoteMemory,
    hasRetries: options.remoteSchemaHealingMilliseconds > 0,
    outbound: options.outboundAllow,
  });
  started.add(() => remoteSchemas.close());
  const relayIdKey = options.relayIdKey ?? (await store.secret("relay_id_key"));
  const relayCipher = relayIdKey && new RelayCipher(relayIdKey.reveal());
  const began = performance.now();
  // A new worker compiles from the introspection results of the serving workers.
  await importShapes((await siblings?.handed()) ?? null, { sources, remoteSchemas });
  const control = await startControl(
    { options, databases, store, sources, remoteSchemas, relayCipher, log, meters },
    initial,
  );
  await importShapes(null, { sources, remoteSchemas });
  started.add(() => control.idle());
  for (const message of noticeLines(control.state.analysis)) warnAtStartup(log, "metadata_notice", { message });
  const resourceVersion = () => control.state.resourceVersion;
  const own = ownProcess({ id: storage.instanceId, version, siblings, resourceVersion });
  const instances = new InstanceRollCall({ store, own });
  const sync = startSchemaSync({
    control,
    store,
    log,
    pollMilliseconds: options.schemaSyncPollMilliseconds,
    healingMilliseconds: options.remoteSchemaHealingMilliseconds,
    startMilliseconds: performance.now() - began,
    onCall: () => instances.respond(),
  });
  started.add(() => sync.stop());
  logSchemaSync(log, storage.instanceId, options.schemaSyncPollMilliseconds);
  recordMetadata(meters, control);
  return { control, sources, authenticator, instances };
}

/** Detects suspensions of the process, after which changes of other instances are applied before it serves. */
function followOtherInstances(
  started: Started,
  { options, log }: ServerSettings,
  { control, store }: { readonly control: ControlPlane; readonly store: MetadataStore },
): Continuity {
  // Without polling, no other instance changes the metadata.
  if (options.schemaSyncPollMilliseconds === 0) return uninterrupted;
  const standstills = new SuspensionWatch({ control, store, log });
  started.add(async () => standstills.stop());
  return standstills;
}

function watchSources(started: Started, parts: Parameters<typeof watchHealth>[0]) {
  const { control, sources } = parts;
  const health = watchHealth(parts);
  const checks = new SourceHealthChecks({
    sources: () => checkedSources(control, sources),
    note: (source, state) => health.note(source, state),
  });
  started.add(async () => checks.stop());
  control.onMetadataChange(() => checks.refresh());
  checks.refresh();
  return health;
}

interface AdministrationParts {
  readonly settings: ServerSettings;
  readonly environment: Environment;
  readonly control: ControlPlane;
  readonly requests: Awaited<ReturnType<typeof assemble>>["requests"];
  readonly scheduling: Pick<Scheduling, "wake">;
  readonly instances: InstanceRollCall;
  readonly toolCalls: Pick<ToolCallLog, "list">;
}

/** Returns the services for administrators of a server with metadata. */
function administrationOf(parts: AdministrationParts) {
  const { settings, environment, control, requests, scheduling, instances, toolCalls } = parts;
  const { options, siblings, host, log } = settings;
  const { executing, planning, liveQueries } = requests;
  const slowOperations = new SlowOperations();
  const roleUsage = new RoleUsage();
  const generation = () => control.generation;
  const explain = explainService(generation, (user) => sessionOfVariables(user, options.headerAlias), executing);
  const metadata = metadataService(control, {
    ...planning,
    mode: operatingMode(options),
    siblings,
    admission: requests.services.admission,
    hooks: host?.hooks,
    activity: {
      slowOperations: () => slowOperations.list(),
      roleUsage: () => roleUsage.list(),
      toolCalls: () => toolCalls.list(),
      instances: () => instances.list(),
      liveQueries,
      logLines: log.recent,
    },
    environmentVariables: environment,
    unauthorizedRole: options.unauthorizedRole,
    visibility: options,
    onScheduledEvent: () => scheduling.wake(),
    auditLog: new AuditLog({ log, store: control.store, retentionDays: options.auditLogRetentionDays }),
    planRequest: (served, request, session) =>
      planOperation(served, request, session, { ...executing, subscriptions: true, explainRefusals: true }),
  });
  return { explain, dump: dumpService(() => control.generation.sources), metadata, slowOperations, roleUsage };
}

function recordMetadata(meters: Meters, control: Pick<ControlPlane, "state">): void {
  meters.onRead(() => {
    const { resourceVersion, analysis } = control.state;
    meters.metadataVersion.set(resourceVersion);
    meters.inconsistentObjects.set(analysis.inconsistencies.filter(({ informational }) => !informational).length);
  });
}

interface ControlSettings {
  readonly options: Options;
  readonly databases: Databases;
  readonly store: MetadataStore;
  readonly sources: SourceRegistry;
  readonly remoteSchemas: RemoteSchemaRegistry;
  readonly relayCipher: RelayCipher | null;
  readonly log: Log;
  readonly meters: Meters;
}

function startControl(settings: ControlSettings, initial: State["catalog"]) {
  const { options, databases, store, sources, remoteSchemas, relayCipher, log, meters } = settings;
  const builder = new GenerationBuilder({
    sources,
    planCacheSize: options.queryPlanCacheSize,
    guard: guardSettings(options),
    relayCipher,
  });
  const parts = {
    store,
    sources,
    remoteSchemas,
    log,
    backendDefaults: backendDefaults(options),
    builder,
    recorders: new EventRecorders({
      sources,
      installation: async () => (await store.catalogState()).id,
      log,
      enabled: operatingMode(options) === "normal",
    }),
    compiler: {
      analysis: analysisOptions(options, databases.environment),
      planning: planOptions(options),
      code: new CodeCache(),
      meters,
    },
  };
  return ControlPlane.start(parts, initial);
}
