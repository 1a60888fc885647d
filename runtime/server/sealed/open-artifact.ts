/**
 * Opens the parts of a sealed server (`parts/assemble.ts`) from an artifact: telemetry, sources, metadata database. Closes
 * them at shutdown.
 */
import { dirname } from "node:path";
import type { Options } from "../../config/option-table.ts";
import type { Environment } from "../../config/options.ts";
import type { MetadataDatabase } from "../../databases/metadata/metadata-database.ts";
import { openMetadataDatabase } from "../../databases/metadata/open.ts";
import { openSource } from "../../databases/sources/open-source.ts";
import type { DatabaseSource } from "../../databases/sources/source.ts";
import { connectionInfoOf, logSourceReports, sourceSettings } from "../../databases/sources/source-settings.ts";
import { guardSettings } from "../../execute/guard/guard-rules.ts";
import {
  compareRecorders,
  hasCurrentTables,
  type Installation,
  type RecordedSource,
} from "../../jobs/events/install.ts";
import { RelayCipher } from "../../model/relay/cipher.ts";
import type { Log } from "../../observe/logs/log.ts";
import { logCatalogMigration } from "../../observe/logs/startup-steps.ts";
import { ServerTelemetry } from "../../observe/telemetry/server-telemetry.ts";
import { uninterrupted } from "../../ports/continuity.ts";
import { type Meters, noMeters } from "../../ports/metrics.ts";
import type { Siblings } from "../../ports/siblings.ts";
import { noTelemetry, type Telemetry } from "../../ports/telemetry.ts";
import { EngineError } from "../../values/errors.ts";
import { ResponseMemory } from "../../values/response-memory.ts";
import type { HostParts } from "../config-module/host-config.ts";
import { assemble, openAuthenticator } from "../parts/assemble.ts";
import type { ActionDatabase } from "../parts/async-actions.ts";
import { rotateEnvironment, type SecretRotation } from "../parts/secret-rotation.ts";
import type { Started } from "../parts/start.ts";
import type { Artifact, SealedSource } from "./artifact.ts";
import { type Drift, driftOf, type ExpectedFacts } from "./drift.ts";
import { checkRemoteDrift } from "./remote-drift.ts";
import { SealedGeneration } from "./sealed-generation.ts";
import { manifestHash } from "./verify.ts";

export interface ArtifactServerSettings {
  /** The reaction to harmful differences between a database and its state when the artifact was built. */
  readonly drift: "refuse" | "warn";
  readonly options: Options;
  readonly environment: Environment;
  readonly log: Log;
  /** The hooks and checks of a host program, if any. */
  readonly host?: HostParts;
  /** The other worker processes, if any. */
  readonly siblings?: Siblings | undefined;
  /** New values of secrets in files; absent if there are none. */
  readonly secrets?: SecretRotation | undefined;
}

/**
 * Resolves when operations can run.
 * @param started receives the functions that close the parts
 * @throws ConfigurationError, EngineError
 */
export async function openArtifact(started: Started, artifact: Artifact, given: ArtifactServerSettings) {
  const environment = { ...given.environment };
  given.secrets?.follow(rotateEnvironment(environment));
  const settings = { ...given, environment };
  const { options } = settings;
  const { version } = artifact.settings;
  const telemetry = await openTelemetry(started, artifact, settings);
  telemetry.meters.onRead(() => telemetry.meters.metadataVersion.set(1));
  const responseMemory = new ResponseMemory(options.maxBufferedResponseBytes);
  const sources = openSources(artifact.settings.sources, settings, { responseMemory, meters: telemetry.meters });
  started.add(() => Promise.all([...sources.values()].map((source) => source.close())));
  const remotesChecked = checkRemoteDrift(artifact.settings, settings);
  // Errors of databases take precedence.
  remotesChecked.catch(() => undefined);
  await checkDatabases(artifact, sources, settings);
  await remotesChecked;
  const generation = new SealedGeneration(artifact, {
    sources,
    planCacheSize: options.queryPlanCacheSize,
    // An artifact stores nothing, so a generated key would be lost when the process ends.
    relayCipher: options.relayIdKey && new RelayCipher(options.relayIdKey.reveal()),
    guard: guardSettings(options),
  });
  const { requests, automation, services } = await assemble(started, {
    ...settings,
    version,
    telemetry,
    authenticator: await openAuthenticator(started, { ...settings, version }),
    responseMemory,
    generation: () => generation,
    continuity: uninterrupted,
    databases: () => sources.values(),
    database: await openSealedDatabase(started, settings),
    installation: async () => manifestHash(dirname(artifact.file)),
    cronTriggers: () => artifact.cronTriggers.map(({ name }) => name),
    kindOf: (name) => artifact.settings.sources.find((source) => source.name === name)?.kind,
  });
  const { eventing, scheduling, acting } = automation;
  return { sources, generation, services, rootFields: requests.rootFields, delivering: [eventing, scheduling, acting] };
}

/** Opens telemetry if metrics or an export are enabled. */
async function openTelemetry(
  started: Started,
  { settings: { opentelemetry: definition, metrics, tlsAllowlist: uncheckedHosts, version } }: Artifact,
  { options, environment, log, siblings }: ArtifactServerSettings,
): Promise<Telemetry> {
  if (definition === undefined && !options.enabledApis.has("metrics")) return noTelemetry;
  const telemetry = new ServerTelemetry({ options, log, version, siblings });
  await telemetry.configure({ definition, metrics, environment, uncheckedHosts });
  started.add(() => telemetry.close());
  return telemetry;
}

/**
 * Checks all databases concurrently and reports the results in the order of the artifact.
 * @throws EngineError if a database is unreachable, has harmful differences, or lacks event triggers of the artifact
 */
async function checkDatabases(
  artifact: Artifact,
  sources: ReadonlyMap<string, DatabaseSource>,
  settings: Pick<ArtifactServerSettings, "drift" | "log">,
): Promise<void> {
  const drifts = artifact.settings.sources.flatMap(({ name, expected }) => {
    const source = sources.get(name);
    return source === undefined ? [] : [{ name, found: driftIn(source, expected).catch(refuseUnread(name)) }];
  });
  const recorders = recordedSources(artifact, sources).map((recorded) => {
    return { name: recorded.target.name, found: recorderDrift(recorded) };
  });
  // The loops below throw the first error in order.
  await Promise.allSettled([...drifts, ...recorders].map(({ found }) => found));
  for (const { name, found } of drifts) {
    const message = `the database schema of source ${name} differs from the artifact's (--drift=warn starts anyway)`;
    refuseOrWarn({ name, message, ...(await found) }, settings);
  }
  for (const { name, found } of recorders) {
    const message = `the event triggers of the artifact are not installed in source ${name} (--install-triggers installs them, --drift=warn starts without them)`;
    refuseOrWarn({ name, message, ...(await found) }, settings);
  }
}

/** Returns an error handler that adds the name of the database. */
function refuseUnread(name: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof EngineError)) throw error;
    const { code, message, internal, status } = error;
    const reason = typeof internal === "string" ? `${message}: ${internal}` : message;
    const text = `the database of source ${name} cannot be read: ${reason}`;
    throw new EngineError(code, "$", text, { status, internal, cause: error });
  };
}

async function driftIn(source: DatabaseSource, expected: ExpectedFacts): Promise<Drift> {
  const facts = await source.facts(expected.enums);
  const definitions = expected.definitions && (await source.definitions());
  return driftOf(expected, { facts, definitions });
}

/** @throws EngineError with the message and the harmful differences */
function refuseOrWarn(
  { name, message, harmful, harmless }: Drift & { readonly name: string; readonly message: string },
  { drift, log }: Pick<ArtifactServerSettings, "drift" | "log">,
): void {
  if (harmful.length > 0 && drift === "refuse") {
    throw new EngineError("not-supported", "$", `${message}:\n${harmful.join("\n")}`);
  }
  for (const difference of [...harmful, ...harmless]) {
    log.warn("startup", { kind: "drift", info: { source: name, difference } });
  }
}

export function openSources(
  sources: readonly SealedSource[],
  { options, environment: variables, log, siblings }: Omit<ArtifactServerSettings, "drift">,
  { responseMemory, meters = noMeters }: { readonly responseMemory: ResponseMemory; readonly meters?: Meters },
): ReadonlyMap<string, DatabaseSource> {
  const { environment, defaults } = sourceSettings(options, variables, { responseMemory, meters, siblings });
  return new Map(
    sources.map(({ name, kind, connectionInfo: configured, replicas, routing }) => {
      const connectionInfo = connectionInfoOf({ name, given: configured }, defaults);
      return [name, openSource({ name, kind, connectionInfo, replicas, routing }, environment, logSourceReports(log))];
    }),
  );
}

/**
 * Opens the metadata database, which cron triggers and asynchronous actions require.
 * @returns `undefined` if none is configured
 * @throws EngineError if the database cannot be used
 */
async function openSealedDatabase(
  started: Started,
  {
    options: { metadataDatabaseUrl, retries },
    log,
    secrets,
  }: Pick<ArtifactServerSettings, "options" | "log" | "secrets">,
): Promise<ActionDatabase | undefined> {
  if (metadataDatabaseUrl === null) return undefined;
  let url = metadataDatabaseUrl;
  secrets?.follow(({ options }) => () => {
    url = options.metadataDatabaseUrl ?? url;
  });
  const database: MetadataDatabase = await openMetadataDatabase(url.reveal(), {
    retries,
    currentUrl: () => url.reveal(),
    onMigrated: (from, to) => logCatalogMigration(log, { from, to }),
  });
  started.add(() => database.close());
  return {
    query: async (text, values) => (await database.query(text, values)).rows,
    time: () => null,
    listen: (channel, onMessage) => database.listen(channel, onMessage),
  };
}

// The database triggers that record events.

export interface RecordedBySource {
  readonly target: RecordedSource;
  readonly installation: Installation;
  /** The names of event triggers. */
  readonly triggers: readonly string[];
}

/** Keeps recorders of other sources of the artifact, which may share the database. */
export function recordedSources(
  { eventTriggers, settings }: Pick<Artifact, "eventTriggers" | "settings">,
  sources: ReadonlyMap<string, DatabaseSource>,
): readonly RecordedBySource[] {
  const owned = new Set(eventTriggers.flatMap(({ recorders }) => recorders.map(({ name }) => name)));
  return settings.sources.flatMap(({ name, kind }) => {
    const database = sources.get(name);
    if (database === undefined) return [];
    const own = eventTriggers.filter(({ source }) => source === name);
    const wanted = own.flatMap(({ table, recorders }) => recorders.map((recorder) => ({ table, recorder })));
    const installation = {
      wanted,
      isGone: (found: { readonly name: string }) => !owned.has(found.name),
      needsTables: own.length > 0,
    };
    return [{ target: { name, kind, database }, installation, triggers: own.map((trigger) => trigger.name) }];
  });
}

/**
 * Compares the recorders of a source with the artifact. Differences that prevent recording or delivery of events are
 * harmful. Recorders of other event triggers are harmless, because another version of the artifact may be about to
 * start.
 */
async function recorderDrift({ target, installation }: RecordedBySource): Promise<Drift> {
  const { made, dropped } = await compareRecorders(target, installation);
  const isReady = !installation.needsTables || (await hasCurrentTables(target));
  return {
    harmful: [
      ...(isReady ? [] : ["the tables of event triggers are missing or of another version"]),
      ...made.map(({ recorder, table: { schema, name } }) => {
        return `trigger ${recorder.name} on ${schema}.${name} is missing, disabled or different`;
      }),
    ],
    harmless: dropped.map(({ name, table }) => {
      const location = table === undefined ? "" : ` on ${table.schema}.${table.name}`;
      return `trigger ${name}${location} does not belong to an event trigger of the artifact`;
    }),
  };
}
