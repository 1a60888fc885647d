/** Options → the services that answer requests, for whatever Generation is current. Live and sealed servers share it. */

import type { Options } from "../../config/option-table.ts";
import type { Environment } from "../../config/options.ts";
import { ActionCalls } from "../../execute/actions/action-calls.ts";
import type { Generation } from "../../execute/generation.ts";
import type { RateCounter } from "../../execute/guard/rate-limiter.ts";
import { InputValidator } from "../../execute/input-validator.ts";
import type { KeptResponses } from "../../execute/kept-responses.ts";
import { queryLog } from "../../execute/query-log.ts";
import { RemoteRequests } from "../../execute/remote/remote-requests.ts";
import { admissionService, graphqlService, restService, rootFieldService } from "../../execute/services.ts";
import { type LiveParts, LiveQueries, type LiveSettings } from "../../execute/subscribe/live-queries.ts";
import type { ActionLog } from "../../jobs/actions/action-log.ts";
import type { Log } from "../../observe/logs/log.ts";
import { HttpClient } from "../../outbound/http-client.ts";
import { webSockets } from "../../outbound/web-sockets.ts";
import type { Continuity } from "../../ports/continuity.ts";
import type { OperationHooks } from "../../ports/operation-hooks.ts";
import type { ResponseCacheService } from "../../ports/response-cache.ts";
import type { RequestServices } from "../../ports/services.ts";
import type { Telemetry } from "../../ports/telemetry.ts";
import { hookedGraphql, hookedRest, hookedRootFields } from "../config-module/hooked-services.ts";

/** Of calls whose addresses stand in the metadata; how long they may take is said there, too. */
const webhookLimits = {
  milliseconds: 10_000,
  connections: 100,
  callsAtOnce: 10_000,
  responseBytes: 10 * 1024 * 1024,
  redirects: 5,
};

/** Of requests to remote servers; how long they may take is said in the metadata. */
const remoteLimits = {
  milliseconds: 60_000,
  connections: 100,
  callsAtOnce: 10_000,
  responseBytes: 64 * 1024 * 1024,
  redirects: 5,
};

/** Of calls of handlers; how long they may take is said in the metadata. */
const handlerLimits = { ...remoteLimits, responseBytes: 32 * 1024 * 1024 };

export interface RequestServicesSettings {
  readonly options: Options;
  readonly environment: Environment;
  readonly version: string;
  readonly log: Log;
  readonly generation: () => Generation;
  readonly telemetry: Telemetry;
  /** Where others may change what is current. */
  readonly continuity: Continuity;
  /** The calls of asynchronous actions; `undefined`: there is nothing to keep them in. */
  readonly calls: ActionLog | undefined;
  /** Counts requests against the limits of their roles. */
  readonly rates: RateCounter;
  /** `undefined`: no answers are kept. */
  readonly responses: KeptResponses | undefined;
  /** Absent: nobody wants to know of operations. */
  readonly hooks: OperationHooks | undefined;
}

export function openRequestServices(settings: RequestServicesSettings) {
  const { options, environment, version, log, generation, continuity, telemetry, calls, responses, hooks } = settings;
  const { meters } = telemetry;
  const live = new LiveQueries({ settings: liveSettings(options), continuity, meters, ...pollLog(log) });
  const client = new HttpClient({ ...webhookLimits, outbound: options.outboundAllow }, () => generation().tlsAllowlist);
  const validator = new InputValidator({
    client,
    log,
    environment,
    version,
    configuredFirst: options.configuredHeaderPrecedence,
  });
  const remoteClient = new HttpClient(
    { ...remoteLimits, outbound: options.outboundAllow },
    () => generation().tlsAllowlist,
  );
  const remote = new RemoteRequests({
    client: remoteClient,
    open: webSockets({ outbound: options.outboundAllow, uncheckedHosts: () => generation().tlsAllowlist }),
    environment,
    version,
    prioritizeData: options.remoteSchemaPrioritizeData,
    skipNulls: options.remoteSchemaSkipNulls,
    keysPerRequest: options.remoteRelationshipsBatchSize,
  });
  const handlerClient = new HttpClient(
    { ...handlerLimits, outbound: options.outboundAllow },
    () => generation().tlsAllowlist,
  );
  const actions = new ActionCalls({
    client: handlerClient,
    log,
    environment,
    version,
    configuredFirst: options.configuredHeaderPrecedence,
    redactLogs: options.redactActionHandlerLogs,
    meters,
    visibility: options,
    calls,
    now: Date.now,
  });
  /** How operations of all kinds are planned, and how they are run. */
  const planning = {
    stringifyNumbers: options.stringifyNumericTypes,
    nullCollapse: options.nullCollapse,
    holdStreamsBack: options.holdStreamsBack,
    skipRemoteNulls: options.remoteSchemaSkipNulls,
    joinInSubscriptions: options.experimentalFeatures.has("remote_joins_in_subscriptions"),
    validator,
    remote,
    actions,
    mostJoined: options.maxBufferedResponseBytes,
    continuity,
    telemetry,
  };
  const executing = {
    ...planning,
    nullInNonNullable: options.nullInNonNullableVariables,
    queryLog: queryLog(log, options),
    responses,
    readOnly: options.enableReadOnlyMode,
    explainRefusals: options.devMode,
  };
  const services = {
    admission: admissionService(generation, settings.rates),
    graphql: graphqlService(generation, executing, live),
    relay: graphqlService(generation, { ...executing, api: "relay" }, live),
    rest: restService(generation, executing),
    responses: responses?.clearing ?? nothingKept,
  } satisfies Partial<RequestServices>;
  const rootFields = {
    graphql: rootFieldService(generation, executing, live),
    relay: rootFieldService(generation, { ...executing, api: "relay" }, live),
  };
  return {
    services: hooks ? hookedServices(services, hooks) : services,
    actions,
    planning,
    executing,
    liveQueries: () => live.list(),
    /** Plans subscriptions anew. */
    metadataChanged: () => Promise.all([live.metadataChanged(), remote.streams.metadataChanged()]),
    rootFields: hooks
      ? {
          graphql: hookedRootFields(rootFields.graphql, "graphql", hooks),
          relay: hookedRootFields(rootFields.relay, "relay", hooks),
        }
      : rootFields,
    close: () => {
      remote.streams.close();
      return Promise.all([client.close(), remoteClient.close(), handlerClient.close()]);
    },
  };
}

function hookedServices<S extends Pick<RequestServices, "graphql" | "relay" | "rest">>(
  services: S,
  hooks: OperationHooks,
): S {
  return {
    ...services,
    graphql: hookedGraphql(services.graphql, "graphql", hooks),
    relay: hookedGraphql(services.relay, "relay", hooks),
    rest: hookedRest(services.rest, hooks),
  };
}

const nothingKept: ResponseCacheService = { clear: async () => undefined };

/** Reports are made only where they are written. */
function pollLog(log: Log): Pick<LiveParts, "onPoll"> {
  const type = "livequery-poller-log";
  if (!log.isEnabled(type, "error")) return {};
  return { onPoll: (detail) => (detail.errors ? log.error(type, detail) : log.info(type, detail)) };
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
