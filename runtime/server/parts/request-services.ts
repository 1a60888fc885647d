/** Opens the services that handle requests, for live and sealed servers. They use the current generation. */

import type { Options } from "../../config/option-table.ts";
import type { Environment } from "../../config/options.ts";
import { ActionCalls } from "../../execute/actions/action-calls.ts";
import type { Generation } from "../../execute/generation.ts";
import type { RateCounter } from "../../execute/guard/rate-limiter.ts";
import { InputValidator } from "../../execute/input-validator.ts";
import type { ResponseCaching } from "../../execute/options.ts";
import { queryLog } from "../../execute/query-log.ts";
import { RemoteRequests } from "../../execute/remote/remote-requests.ts";
import { admissionService, graphqlService, restService, rootFieldService } from "../../execute/services.ts";
import { type LiveParts, LiveQueries, type LiveSettings } from "../../execute/subscribe/live-queries.ts";
import { agentToolService, type QueryLimits } from "../../execute/tools/agent-tool-service.ts";
import { Fallback, fallbackLimits } from "../../http/fallback.ts";
import type { ActionLog } from "../../jobs/actions/action-log.ts";
import type { Log } from "../../observe/logs/log.ts";
import { HttpClient } from "../../outbound/http-client.ts";
import { webSockets } from "../../outbound/web-sockets.ts";
import type { Continuity } from "../../ports/continuity.ts";
import type { OperationHooks } from "../../ports/operation-hooks.ts";
import type { ResponseCacheService } from "../../ports/response-cache.ts";
import type { RequestServices } from "../../ports/services.ts";
import type { Telemetry } from "../../ports/telemetry.ts";
import { peerPrefix } from "../../values/session-alias.ts";
import { hookedGraphql, hookedRest, hookedRootFields, hookedTools } from "../config-module/hooked-services.ts";

/** Limits for webhooks defined in the metadata, where each definition sets its timeout. */
const webhookLimits = {
  milliseconds: 10_000,
  connections: 100,
  callsAtOnce: 10_000,
  responseBytes: 10 * 1024 * 1024,
  redirects: 5,
};

/** Limits for remote schemas, whose timeouts are in the metadata. */
const remoteLimits = {
  milliseconds: 60_000,
  connections: 100,
  callsAtOnce: 10_000,
  responseBytes: 64 * 1024 * 1024,
  redirects: 5,
};

/** Limits for action handlers, whose timeouts are in the metadata. */
const handlerLimits = { ...remoteLimits, responseBytes: 32 * 1024 * 1024 };

export interface RequestServicesSettings {
  readonly options: Options;
  readonly environment: Environment;
  readonly version: string;
  readonly log: Log;
  readonly generation: () => Generation;
  readonly telemetry: Telemetry;
  readonly continuity: Continuity;
  /** The calls of asynchronous actions; `undefined` without a metadata database. */
  readonly calls: ActionLog | undefined;
  /** Counts requests against the limits of their roles. */
  readonly rates: RateCounter;
  /** The response cache; `undefined` if caching is disabled. */
  readonly responses: ResponseCaching | undefined;
  /** Hooks of a host program, if any. */
  readonly hooks: OperationHooks | undefined;
}

/** Opens the clients of webhooks, remote schemas and action handlers. */
function openRemoteServices(settings: RequestServicesSettings) {
  const { options, environment, version, log, generation, calls } = settings;
  const { meters } = settings.telemetry;
  const outbound = options.outboundAllow;
  const configuredFirst = options.configuredHeaderPrecedence;
  const uncheckedHosts = () => generation().tlsAllowlist;
  const client = new HttpClient({ ...webhookLimits, outbound }, uncheckedHosts);
  const validator = new InputValidator({ client, log, environment, version, configuredFirst });
  const remoteClient = new HttpClient({ ...remoteLimits, outbound }, uncheckedHosts);
  const remote = new RemoteRequests({
    client: remoteClient,
    open: webSockets({ outbound, uncheckedHosts }),
    environment,
    version,
    prioritizeData: options.remoteSchemaPrioritizeData,
    skipNulls: options.remoteSchemaSkipNulls,
    keysPerRequest: options.remoteRelationshipsBatchSize,
  });
  const handlerClient = new HttpClient({ ...handlerLimits, outbound }, uncheckedHosts);
  const actions = new ActionCalls({
    client: handlerClient,
    log,
    environment,
    version,
    configuredFirst,
    redactLogs: options.redactActionHandlerLogs,
    meters,
    visibility: options,
    calls,
    now: Date.now,
  });
  const fallbackClient = new HttpClient({ ...fallbackLimits, outbound }, uncheckedHosts);
  const fallback =
    options.fallback === null
      ? undefined
      : new Fallback({
          server: options.fallback,
          prefix: options.headerAlias ?? peerPrefix,
          client: fallbackClient,
          log,
          meters,
        });
  const close = () => {
    remote.streams.close();
    return Promise.all([client.close(), remoteClient.close(), handlerClient.close(), fallbackClient.close()]);
  };
  return { validator, remote, actions, fallback, close };
}

export function openRequestServices(settings: RequestServicesSettings) {
  const { options, log, generation, continuity, telemetry, responses, hooks } = settings;
  const { meters } = telemetry;
  const live = new LiveQueries({ settings: liveSettings(options), continuity, meters, ...pollLog(log) });
  const { validator, remote, actions, fallback, close } = openRemoteServices(settings);
  /** Options for planning and running all types of operations. */
  const planning = {
    stringifyNumbers: options.stringifyNumericTypes,
    nullCollapse: options.nullCollapse,
    holdStreamsBack: options.holdStreamsBack,
    skipRemoteNulls: options.remoteSchemaSkipNulls,
    joinInSubscriptions: options.experimentalFeatures.has("remote_joins_in_subscriptions"),
    validator,
    remote,
    actions,
    maxJoined: options.maxBufferedResponseBytes,
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
    findsUnserved: options.fallback !== null,
  };
  const services = {
    admission: admissionService(generation, settings.rates),
    graphql: graphqlService(generation, executing, live),
    relay: graphqlService(generation, { ...executing, api: "relay" }, live),
    savedText: (hash: string) => generation().savedText(hash),
    rest: restService(generation, executing),
    agentTools: agentToolService(generation, executing, queryLimits(options)),
    responses: responses?.clearing ?? noCache,
    fallback,
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
    /** Replans subscriptions. */
    metadataChanged: () => Promise.all([live.metadataChanged(), remote.streams.metadataChanged()]),
    rootFields: hooks
      ? {
          graphql: hookedRootFields(rootFields.graphql, "graphql", hooks),
          relay: hookedRootFields(rootFields.relay, "relay", hooks),
        }
      : rootFields,
    close,
  };
}

function hookedServices<S extends Pick<RequestServices, "graphql" | "relay" | "rest" | "agentTools">>(
  services: S,
  hooks: OperationHooks,
): S {
  return {
    ...services,
    graphql: hookedGraphql(services.graphql, "graphql", hooks),
    relay: hookedGraphql(services.relay, "relay", hooks),
    rest: hookedRest(services.rest, hooks),
    agentTools: hookedTools(services.agentTools, hooks),
  };
}

const queryLimits = (options: Options): QueryLimits => ({
  depth: options.mcpQueryDepthLimit,
  nodes: options.mcpQueryNodeLimit,
  rows: options.mcpQueryRowLimit,
  bytes: options.mcpQueryByteLimit,
  seconds: options.mcpQueryTimeLimitSeconds,
});

const noCache: ResponseCacheService = { clear: async () => undefined };

/** Omits the listener if the log type is disabled, so that no reports are built. */
function pollLog(log: Log): Pick<LiveParts, "onPoll"> {
  const type = "livequery-poller-log";
  if (!log.isEnabled(type, "error")) return {};
  return { onPoll: (detail) => (detail.errors ? log.error(type, detail) : log.info(type, detail)) };
}

/** A long transaction, such as a dump, delays streams by at most this time, unless the option is set. */
const maxHoldByDefault = 10_000;

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
      maxHoldMilliseconds: options.holdStreamsBack === null ? maxHoldByDefault : null,
      watchedSources,
    },
  };
}
