/** An artifact → all that its server serves by: sources, services. Wiring only. */
import { dirname } from "node:path";
import type { Options } from "../../config/option-table.ts";
import type { Environment } from "../../config/options.ts";
import { openSource } from "../../databases/sources/open-source.ts";
import type { DatabaseSource } from "../../databases/sources/source.ts";
import { connectionInfoOf, logSourceReports, sourceSettings } from "../../databases/sources/source-settings.ts";
import { guardSettings } from "../../execute/guard/guard-rules.ts";
import { startAuthenticator } from "../../http/auth/authenticate.ts";
import { decideAuthMode } from "../../http/auth/mode.ts";
import { ActionLog } from "../../jobs/actions/action-log.ts";
import { RelayCipher } from "../../model/relay/cipher.ts";
import type { Log } from "../../observe/logs/log.ts";
import { bugReporter } from "../../observe/logs/report-bug.ts";
import { ServerTelemetry } from "../../observe/telemetry/server-telemetry.ts";
import { uninterrupted } from "../../ports/continuity.ts";
import { type Meters, noMeters } from "../../ports/metrics.ts";
import type { Siblings } from "../../ports/siblings.ts";
import { noTelemetry, type Telemetry } from "../../ports/telemetry.ts";
import { AnswerMemory } from "../../values/answer-memory.ts";
import { EngineError } from "../../values/errors.ts";
import type { HostParts } from "../config-module/host-config.ts";
import { automaticOptions } from "../parts/delivering.ts";
import { startEventCleanups } from "../parts/event-cleanups.ts";
import { openEventing } from "../parts/eventing.ts";
import { openKeptResponses } from "../parts/kept-responses.ts";
import { openRequestServices } from "../parts/request-services.ts";
import { openRates } from "../parts/shared-rates.ts";
import { tellConnections } from "../parts/source-metrics.ts";
import type { Started } from "../parts/start.ts";
import type { Artifact, SealedSource } from "./artifact.ts";
import { type Drift, driftOf, type ExpectedFacts } from "./drift.ts";
import { recordedSources, recorderDrift } from "./recorders.ts";
import { checkRemoteDrift } from "./remote-drift.ts";
import { openSealedActions } from "./sealed-actions.ts";
import { openSealedDatabase } from "./sealed-database.ts";
import { SealedGeneration } from "./sealed-generation.ts";
import { openSealedSchedules } from "./sealed-schedules.ts";
import { manifestHash } from "./verify.ts";

export interface ArtifactServerSettings {
  /** What happens when a database is not as it was when the artifact was built, in a way that can matter. */
  readonly drift: "refuse" | "warn";
  readonly options: Options;
  readonly environment: Environment;
  readonly log: Log;
  /** What the program around the server takes part in; absent: nothing. */
  readonly host?: HostParts;
  /** The other processes of the server; absent: there are none. */
  readonly siblings?: Siblings | undefined;
}

/**
 * Resolves when operations can be run.
 * @param started takes what is to be closed
 * @throws ConfigurationError, EngineError
 */
export async function openArtifact(started: Started, artifact: Artifact, settings: ArtifactServerSettings) {
  const { options, environment, log, host, siblings } = settings;
  const { version } = artifact.settings;
  const telemetry = await openTelemetry(started, artifact, settings);
  telemetry.meters.onRead(() => telemetry.meters.metadataVersion.set(1));
  const answerMemory = new AnswerMemory(options.maxBufferedResponseBytes);
  const sources = openSources(artifact.settings.sources, settings, { answerMemory, meters: telemetry.meters });
  tellConnections(telemetry.meters, () => sources.values());
  started.add(() => Promise.all([...sources.values()].map((source) => source.close())));
  const remotesChecked = checkRemoteDrift(artifact.settings, settings);
  // Where a database is wrong, that is told.
  remotesChecked.catch(() => undefined);
  await checkDatabases(artifact, sources, settings);
  await remotesChecked;
  const generation = new SealedGeneration(artifact, {
    sources,
    planCacheSize: options.queryPlanCacheSize,
    // An artifact keeps nothing: a key of its own would end with the process.
    relayCipher: options.relayIdKey && new RelayCipher(options.relayIdKey.reveal()),
    guard: guardSettings(options),
  });
  const authenticator = await startAuthenticator(decideAuthMode(options), {
    log,
    version,
    origins: options.corsDomains,
    alias: options.headerAlias,
    outbound: options.outboundAllow,
    hostCheck: host?.check,
  });
  started.add(() => authenticator.close());
  const database = await openSealedDatabase(started, options, log);
  const kept = database && { database, calls: new ActionLog(database) };
  const installation = () => manifestHash(dirname(artifact.file));
  const requests = openRequestServices({
    options,
    environment,
    version,
    log,
    generation: () => generation,
    telemetry,
    continuity: uninterrupted,
    calls: kept?.calls,
    rates: await openRates(started, { options, log, installation, siblings }),
    responses: await openKeptResponses(started, {
      options,
      log,
      meters: telemetry.meters,
      installation,
      siblings,
    }),
    hooks: host?.hooks,
  });
  started.add(() => requests.close());
  const reportBug = bugReporter(log);
  const services = { ...requests.services, authenticator, answerMemory, telemetry, reportBug };
  const kindOf = (name: string) => artifact.settings.sources.find((source) => source.name === name)?.kind;
  const automatic = {
    options: automaticOptions(options, siblings),
    environment,
    version,
    log,
    telemetry,
    generation: () => generation,
  };
  const { isLeftToSibling = false } = automatic.options;
  if (!options.enableReadOnlyMode && !options.enableMaintenanceMode && !isLeftToSibling) {
    const cleanups = startEventCleanups({ generation: () => generation, kindOf, log });
    started.add(() => cleanups.stop());
  }
  const eventing = openEventing({ ...automatic, kindOf });
  started.add(() => eventing.stop(0));
  eventing.refresh();
  const scheduling = await openSealedSchedules(started, {
    ...automatic,
    operations: { ...requests.services, reportBug, alias: options.headerAlias },
    triggers: artifact.cronTriggers,
    database,
  });
  const acting = openSealedActions(started, { ...automatic, actions: requests.actions, kept });
  return { sources, generation, services, rootFields: requests.rootFields, delivering: [eventing, scheduling, acting] };
}

/** Where nobody is told anything, nothing is counted. */
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
 * Statements for one database go to it together; what they find is judged in the order of the artifact.
 * @throws EngineError when a database cannot be reached, has changed so that the artifact may fail on it, or lacks event
 * triggers of the artifact
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
  // The first that failed ends the start, when it is its turn.
  await Promise.allSettled([...drifts, ...recorders].map(({ found }) => found));
  for (const { name, found } of drifts) {
    const message = `the database of source ${name} is not the one that the artifact was built for (--drift=warn serves it all the same)`;
    refuseOrWarn({ name, message, ...(await found) }, settings);
  }
  for (const { name, found } of recorders) {
    const message = `the event triggers of the artifact are not installed in source ${name} (--install-triggers installs them, --drift=warn serves without)`;
    refuseOrWarn({ name, message, ...(await found) }, settings);
  }
}

/** Says which database cannot be read, and why. */
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

/** @throws EngineError with the message and what is harmful */
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
  { answerMemory, meters = noMeters }: { readonly answerMemory: AnswerMemory; readonly meters?: Meters },
): ReadonlyMap<string, DatabaseSource> {
  const { environment, defaults } = sourceSettings(options, variables, { answerMemory, meters, siblings });
  return new Map(
    sources.map(({ name, kind, connectionInfo: given, replicas, routing }) => {
      const connectionInfo = connectionInfoOf({ name, given }, defaults);
      return [name, openSource({ name, kind, connectionInfo, replicas, routing }, environment, logSourceReports(log))];
    }),
  );
}
