/** Options → all that a server serves by: databases, metadata, services. Wiring only. */
import { randomUUID } from "node:crypto";
import type { Options } from "../../config/option-table.ts";
import type { Environment } from "../../config/options.ts";
import { analysisOptions, backendDefaults, planOptions } from "../../control/analysis-options.ts";
import { nothingKnown } from "../../control/compile-state.ts";
import { ControlPlane } from "../../control/control-plane.ts";
import { EventRecorders } from "../../control/event-recorders.ts";
import { GenerationBuilder } from "../../control/generation-builder.ts";
import { handedShapes, offerShapes } from "../../control/handed-shapes.ts";
import { checkedSources, watchHealth } from "../../control/health.ts";
import { KeptShapes, remoteShapes, sourceShapes } from "../../control/kept-shapes.ts";
import { CodeCache } from "../../control/load/code-cache.ts";
import { metadataService } from "../../control/metadata-service.ts";
import { noticeLines } from "../../control/notice-lines.ts";
import { operatingMode } from "../../control/operating-mode.ts";
import { RemoteSchemaRegistry } from "../../control/remote-schema-registry.ts";
import { startSchemaSync } from "../../control/schema-sync.ts";
import { SourceRegistry } from "../../control/source-registry.ts";
import { StandstillWatch } from "../../control/standstill.ts";
import { initialCatalog, type State } from "../../control/state.ts";
import { type MetadataStore, openMetadataStore } from "../../control/store.ts";
import { redactUrl } from "../../databases/sources/connection-settings.ts";
import { SourceHealthChecks } from "../../databases/sources/health/source-health-checks.ts";
import { logSourceReports, sourceSettings } from "../../databases/sources/source-settings.ts";
import { dumpService } from "../../execute/dump.ts";
import { explainService } from "../../execute/explain.ts";
import { guardSettings } from "../../execute/guard/guard-rules.ts";
import { startAuthenticator } from "../../http/auth/authenticate.ts";
import { decideAuthMode } from "../../http/auth/mode.ts";
import { sessionOfVariables } from "../../http/auth/session.ts";
import { ActionLog } from "../../jobs/actions/action-log.ts";
import { RelayCipher } from "../../model/relay/cipher.ts";
import type { Log } from "../../observe/logs/log.ts";
import { bugReporter } from "../../observe/logs/report-bug.ts";
import { SlowOperations } from "../../observe/logs/slow-operations.ts";
import { logPostgresConnection, warnAtStartup } from "../../observe/logs/startup-log.ts";
import { logCatalogMigration, logSchemaSync } from "../../observe/logs/startup-steps.ts";
import { ServerTelemetry } from "../../observe/telemetry/server-telemetry.ts";
import { uninterrupted } from "../../ports/continuity.ts";
import type { Meters } from "../../ports/metrics.ts";
import type { Services } from "../../ports/services.ts";
import type { Siblings } from "../../ports/siblings.ts";
import { AnswerMemory } from "../../values/answer-memory.ts";
import type { HostParts } from "../config-module/host-config.ts";
import { type ActionDatabase, openAsyncActions } from "../parts/async-actions.ts";
import { automaticOptions } from "../parts/delivering.ts";
import { startEventCleanups } from "../parts/event-cleanups.ts";
import { openEventing } from "../parts/eventing.ts";
import { openKeptResponses } from "../parts/kept-responses.ts";
import { openRequestServices } from "../parts/request-services.ts";
import { openScheduling } from "../parts/scheduling.ts";
import { openRates } from "../parts/shared-rates.ts";
import { tellConnections } from "../parts/source-metrics.ts";
import type { Started } from "../parts/start.ts";
import { type Databases, openDatabases } from "./databases.ts";

export interface ServerSettings {
  readonly options: Options;
  readonly environment: Environment;
  readonly log: Log;
  readonly version: string;
  /** What a first start serves instead of nothing; `null`: nothing. */
  readonly sample: Sample | null;
  /** What the program around the server takes part in; absent: nothing. */
  readonly host?: HostParts;
  /** The other processes of the server; absent: there are none. */
  readonly siblings?: Siblings | undefined;
  /** Whoever gives them ends them; absent: they follow from the options. */
  readonly databases?: Databases;
}

/** Tables, rows and metadata to begin with. */
export interface Sample {
  /** Makes tables and rows, unless they are there already. */
  seed(databaseUrl: string): Promise<void>;
  catalog(): Promise<State["catalog"]>;
}

/**
 * Resolves when operations can be run.
 * @param started takes what is to be closed
 * @throws ConfigurationError, EmbeddedPostgresError, EngineError
 */
export async function openServices(
  started: Started,
  { options, environment, log, version, sample, host, siblings, databases: given }: ServerSettings,
) {
  const authMode = decideAuthMode(options);
  const telemetry = new ServerTelemetry({ options, log, version, siblings });
  const { meters } = telemetry;
  started.add(() => telemetry.close());
  const databases = given ?? (await openDatabases(options, environment, log));
  if (given === undefined) started.add(async () => databases.embedded?.stop());
  logPostgresConnection(log, options.retries, redactUrl(databases.metadataUrl));
  if (databases.sourceUrl !== null) await sample?.seed(databases.sourceUrl);
  const instanceId = randomUUID();
  const store = await openMetadataStore(databases.metadataUrl, instanceId, {
    retries: options.retries,
    migrate: !options.enableMaintenanceMode,
    onMigrated: (from, to) => logCatalogMigration(log, { from, to }),
  });
  if (options.enableMaintenanceMode) logCatalogMigration(log, undefined);
  started.add(() => store.close());
  const memory = new KeptShapes(sourceShapes(version), store, log);
  const remoteMemory = new KeptShapes(remoteShapes, store, log);
  started.add(() => Promise.all([memory.close(), remoteMemory.close()]));
  const answerMemory = new AnswerMemory(options.maxBufferedResponseBytes);
  const sources = new SourceRegistry({
    ...sourceSettings(options, databases.environment, { answerMemory, meters, siblings }),
    memory,
    report: logSourceReports(log),
    checkNativeQueries: !options.disableNativeQueryValidation,
  });
  started.add(() => Promise.all(sources.retain([])));
  const initial = (await sample?.catalog()) ?? initialCatalog(databases.sourceUrl !== null);
  const authenticator = await startAuthenticator(authMode, {
    log,
    version,
    origins: options.corsDomains,
    alias: options.headerAlias,
    outbound: options.outboundAllow,
    hostCheck: host?.check,
  });
  started.add(() => authenticator.close());
  const remoteSchemas = new RemoteSchemaRegistry(databases.environment, {
    memory: remoteMemory,
    areAskedAgain: options.remoteSchemaHealingMilliseconds > 0,
    outbound: options.outboundAllow,
  });
  started.add(() => remoteSchemas.close());
  const relayIdKey = options.relayIdKey ?? (await store.secret("relay_id_key"));
  const relayCipher = relayIdKey && new RelayCipher(relayIdKey.reveal());
  const began = performance.now();
  // Workers that start compile from what those that serve have read.
  await offerShapes((await siblings?.handed()) ?? null, { sources, remoteSchemas });
  const control = await startControl(
    { options, databases, store, sources, remoteSchemas, relayCipher, log, meters },
    initial,
  );
  await offerShapes(null, { sources, remoteSchemas });
  started.add(() => control.idle());
  for (const message of noticeLines(control.state.analysis)) warnAtStartup(log, "metadata_notice", { message });
  const sync = startSchemaSync({
    control,
    store,
    log,
    pollMilliseconds: options.schemaSyncPollMilliseconds,
    healingMilliseconds: options.remoteSchemaHealingMilliseconds,
    startMilliseconds: performance.now() - began,
  });
  started.add(() => sync.stop());
  logSchemaSync(log, instanceId, options.schemaSyncPollMilliseconds);
  // Where other instances are not looked for, nobody else changes the metadata.
  const standstills = options.schemaSyncPollMilliseconds > 0 ? new StandstillWatch({ control, store, log }) : undefined;
  started.add(async () => standstills?.stop());
  const kept: ActionDatabase = {
    query: (text, values) => store.query(text, values),
    time: () => null,
    listen: (channel, onMessage) => store.listenTo(channel, onMessage),
  };
  const calls = new ActionLog(kept);
  const installation = async () => (await store.catalogState()).id;
  const requests = openRequestServices({
    options,
    environment: databases.environment,
    version,
    log,
    generation: () => control.generation,
    telemetry,
    continuity: standstills ?? uninterrupted,
    calls,
    rates: await openRates(started, { options, log, installation, siblings }),
    responses: await openKeptResponses(started, { options, log, meters, installation, siblings }),
    hooks: host?.hooks,
  });
  started.add(() => requests.close());
  const { executing, planning, rootFields } = requests;
  const slowOperations = new SlowOperations();
  const health = watchHealth({ control, sources, store, log, meters });
  const checks = new SourceHealthChecks({
    sources: () => checkedSources(control, sources),
    note: (source, state) => health.note(source, state),
  });
  started.add(async () => checks.stop());
  control.onMetadataChange(() => checks.refresh());
  checks.refresh();
  tellConnections(meters, () => sources.databases);
  tellMetadata(meters, control);
  const configureTelemetry = (): Promise<void> => {
    const { opentelemetry: definition, metrics_config: metrics, network } = control.state.catalog;
    const uncheckedHosts = network.tls_allowlist;
    return telemetry.configure({ definition, metrics, environment: databases.environment, uncheckedHosts });
  };
  control.onFollow(configureTelemetry);
  await configureTelemetry();
  const reportBug = bugReporter(log);
  const automatic = {
    options: automaticOptions(options, siblings),
    environment: databases.environment,
    version,
    log,
    telemetry,
    generation: () => control.generation,
  };
  const scheduling = openScheduling({
    ...automatic,
    database: kept,
    operations: { ...requests.services, reportBug, alias: options.headerAlias },
    names: () => control.state.catalog.cron_triggers.map(({ name }) => name),
  });
  started.add(() => scheduling.stop(0));
  control.onFollow(() => scheduling.refresh());
  await scheduling.refresh();
  const services = {
    ...requests.services,
    explain: explainService(
      () => control.generation,
      (variables) => sessionOfVariables(variables, options.headerAlias),
      executing,
    ),
    dump: dumpService(() => control.generation.sources),
    metadata: metadataService(control, {
      ...planning,
      mode: operatingMode(options),
      siblings,
      admission: requests.services.admission,
      hooks: host?.hooks,
      activity: { slowOperations: () => slowOperations.list(), liveQueries: requests.liveQueries },
      onScheduledEvent: () => scheduling.wake(),
    }),
    health,
    authenticator,
    answerMemory,
    telemetry,
    slowOperations,
    reportBug,
  } satisfies Services;
  control.onMetadataChange(() => {
    requests.metadataChanged().catch((bug: unknown) => services.reportBug(bug, ""));
  });
  const kindOf = (name: string) => control.state.catalog.sources.find((source) => source.name === name)?.kind;
  if (operatingMode(options) === "normal" && automatic.options.isLeftToSibling !== true) {
    const cleanups = startEventCleanups({ generation: () => control.generation, kindOf, log });
    started.add(() => cleanups.stop());
  }
  const eventing = openEventing({ ...automatic, kindOf });
  started.add(() => eventing.stop(0));
  control.onMetadataChange(() => eventing.refresh());
  sources.beforeClosing((database) => eventing.ended(database));
  eventing.refresh();
  const acting = openAsyncActions({ ...automatic, database: kept, calls, actions: requests.actions });
  started.add(() => acting.stop(0));
  control.onMetadataChange(() => acting.refresh());
  acting.refresh();
  siblings?.onFollow({
    version: () => control.state.resourceVersion,
    follow: (handed) => control.follow(handed),
    hand: () => handedShapes(control.state, nothingKnown),
  });
  return { databases, control, sources, services, rootFields, health, delivering: [eventing, scheduling, acting] };
}

function tellMetadata(meters: Meters, control: Pick<ControlPlane, "state">): void {
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
