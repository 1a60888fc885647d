/**
 * Assembles a server from its parts: everything that live and sealed servers share, whether their generations come from
 * metadata or from an artifact. The caller opens and closes sources.
 */

import { createHash } from "node:crypto";
import { ConfigurationError } from "../../config/configuration-error.ts";
import type { Options } from "../../config/option-table.ts";
import type { Environment } from "../../config/options.ts";
import type { Secret } from "../../config/secret.ts";
import type { ConnectionRole, DatabaseSource } from "../../databases/sources/source.ts";
import { MemoryStore } from "../../execute/caching/memory-store.ts";
import { ResponseCache } from "../../execute/caching/response-cache.ts";
import type { Generation } from "../../execute/generation.ts";
import { type RateCounter, RateLimiter } from "../../execute/guard/rate-limiter.ts";
import type { ResponseCaching } from "../../execute/options.ts";
import { type RunningAuthenticator, startAuthenticator } from "../../http/auth/authenticate.ts";
import { type AuthMode, decideAuthMode } from "../../http/auth/mode.ts";
import { mcpAudience } from "../../http/mcp/authorization.ts";
import { ActionLog } from "../../jobs/actions/action-log.ts";
import { bugReporter, type Log } from "../../observe/logs/log.ts";
import { ToolCallLog } from "../../observe/logs/tool-calls.ts";
import type { Authenticator } from "../../ports/authentication.ts";
import type { Continuity } from "../../ports/continuity.ts";
import type { Meters } from "../../ports/metrics.ts";
import type { Siblings } from "../../ports/siblings.ts";
import type { Telemetry } from "../../ports/telemetry.ts";
import { messageOf } from "../../values/message-of.ts";
import type { ResponseMemory } from "../../values/response-memory.ts";
import type { HostParts } from "../config-module/host-config.ts";
import type { ActionDatabase } from "./async-actions.ts";
import { startAutomation } from "./automation.ts";
import { automaticOptions } from "./delivering.ts";
import { openRequestServices } from "./request-services.ts";
import type { SecretRotation } from "./secret-rotation.ts";
import type { Started } from "./start.ts";

/** The input of a server's start. */
interface ServerInput {
  readonly options: Options;
  readonly environment: Environment;
  readonly log: Log;
  readonly version: string;
  /** The hooks and checks of a host program, if any. */
  readonly host?: HostParts | undefined;
  /** The other worker processes, if any. */
  readonly siblings?: Siblings | undefined;
  /** New values of secrets in files; absent if there are none. */
  readonly secrets?: SecretRotation | undefined;
}

export interface ServerParts extends ServerInput {
  readonly telemetry: Telemetry;
  readonly authenticator: Authenticator;
  readonly responseMemory: ResponseMemory;
  /** Returns the current generation. */
  readonly generation: () => Generation;
  readonly continuity: Continuity;
  readonly databases: () => Iterable<DatabaseSource>;
  /** The metadata database; without one, schedules and asynchronous actions are not served. */
  readonly database: ActionDatabase | undefined;
  /** Returns an id that is shared by exactly the instances with the same metadata or artifact. */
  readonly installation: () => Promise<string>;
  /** Returns the names of all cron triggers, including inconsistent ones. */
  readonly cronTriggers: () => readonly string[];
  /** Returns the kind of a source. */
  readonly kindOf: (source: string) => string | undefined;
}

/**
 * Starts authentication according to the options, and again with each new value of a secret.
 * @param started receives the function that stops it
 * @throws ConfigurationError
 */
export async function openAuthenticator(
  started: Started,
  { options, log, version, host, secrets }: ServerInput,
  mode = decideAuthMode(options),
): Promise<Authenticator> {
  const open = (wanted: AuthMode): Promise<RunningAuthenticator> =>
    startAuthenticator(wanted, {
      log,
      version,
      origins: options.corsDomains,
      alias: options.headerAlias,
      outbound: options.outboundAllow,
      hostCheck: host?.check,
      mcpAudience: mcpAudience(options),
    });
  let current = await open(mode);
  started.add(() => current.close());
  if (secrets === undefined) return current;
  secrets.follow(async ({ options: rotated }) => {
    const wanted = decideAuthMode(rotated);
    // A file that is empty by mistake must not open the server.
    if (wanted.kind !== mode.kind) throw modeChanged();
    const next = await open(wanted);
    return () => {
      const before = current;
      current = next;
      // Requests in progress may still wait for the webhook of the earlier authenticator.
      setTimeout(() => void before.close(), earlierAuthenticator).unref();
    };
  });
  return { authenticate: (headers, context) => current.authenticate(headers, context) };
}

/** Time in milliseconds until a replaced authenticator is closed. */
const earlierAuthenticator = 60_000;

function modeChanged(): ConfigurationError {
  const message = "new values of secrets change the kind of authentication, which requires a restart";
  return new ConfigurationError([{ setting: null, message }]);
}

/**
 * Opens the services for requests, and starts deliveries.
 * @param started receives the functions that stop them
 */
export async function assemble(started: Started, parts: ServerParts) {
  const { options, environment, log, version, host, siblings, telemetry, generation, database, installation } = parts;
  const { meters } = telemetry;
  const calls = database && new ActionLog(database);
  const shared = { options, log, installation, siblings };
  const requests = openRequestServices({
    options,
    environment,
    version,
    log,
    generation,
    telemetry,
    continuity: parts.continuity,
    calls,
    rates: await openRates(started, shared),
    responses: await openResponseCache(started, { ...shared, meters }),
    hooks: host?.hooks,
  });
  started.add(() => requests.close());
  recordConnections(meters, parts.databases);
  const reportBug = bugReporter(log);
  const automation = await startAutomation(started, {
    options: automaticOptions(options, siblings),
    environment,
    version,
    log,
    telemetry,
    generation,
    kindOf: parts.kindOf,
    cronTriggers: parts.cronTriggers,
    operations: { ...requests.services, reportBug, alias: options.headerAlias },
    actions: requests.actions,
    storage: database && calls && { database, calls },
  });
  const { authenticator, responseMemory } = parts;
  const toolCalls = new ToolCallLog(log, meters);
  return {
    requests,
    automation,
    toolCalls,
    services: { ...requests.services, authenticator, responseMemory, telemetry, toolCalls, reportBug },
  };
}

/** Sets the gauges of source connections whenever the metrics are read. */
function recordConnections(meters: Meters, sources: () => Iterable<DatabaseSource>): void {
  meters.onRead(() => {
    meters.postgresConnections.clear();
    const recordPool = ({ name, server = "", connections }: DatabaseSource, role: ConnectionRole): void => {
      if (connections === undefined) return;
      meters.postgresConnections.set(connections.connections, { source_name: name, conn_info: server, role });
    };
    for (const source of sources()) {
      recordPool(source, "primary");
      for (const replica of source.replicas ?? []) recordPool(replica, "replica");
      for (const member of source.routes?.members.values() ?? []) recordPool(member, "member");
    }
  });
}

// Counters for rate limits: this process, all processes of the server, or Redis for all instances.

interface RateSettings {
  readonly options: Pick<Options, "redisUrl">;
  readonly log: Log;
  /** Returns an id that is shared by exactly the instances with the same metadata or artifact; called only with Redis. */
  readonly installation: () => Promise<string> | string;
  /** The other worker processes, which count together without Redis; absent if there are none. */
  readonly siblings: Siblings | undefined;
}

/** @param started receives the function that closes the client */
async function openRates(
  started: Started,
  { options: { redisUrl }, log, installation, siblings }: RateSettings,
): Promise<RateCounter> {
  if (redisUrl === null) return siblings ?? new RateLimiter();
  const [{ openRedis }, { RedisRateCounter }] = await Promise.all([
    import("../../execute/caching/open-redis.ts"),
    import("../../execute/guard/redis-rate-counter.ts"),
  ]);
  const failed = atMostOncePerMinute((error) => {
    const message = "Redis does not respond; this instance counts rate limits on its own";
    log.warn("unstructured", { message, reason: messageOf(error) });
  });
  const client = openRedis(redisUrl.reveal(), failed);
  started.add(async () => client.disconnect());
  return new RedisRateCounter({ client, installation: await installation(), failed });
}

// The response cache, in memory or in Redis.

interface ResponseCachingSettings {
  readonly options: Pick<Options, "redisUrl" | "cacheMaxBytes" | "cacheMaxEntrySize" | "cacheMaxEntryTtlSeconds">;
  readonly log: Log;
  readonly meters: Meters;
  /** Returns an id that is shared by exactly the instances with the same metadata or artifact; called only with Redis. */
  readonly installation: () => Promise<string> | string;
  /** The other worker processes, among which the memory is divided; absent if there are none. */
  readonly siblings: Siblings | undefined;
}

/**
 * @param started receives the function that closes the cache
 * @returns `undefined` if caching is disabled
 */
async function openResponseCache(
  started: Started,
  { options, log, meters, installation, siblings }: ResponseCachingSettings,
): Promise<ResponseCaching | undefined> {
  const { redisUrl, cacheMaxBytes, cacheMaxEntrySize, cacheMaxEntryTtlSeconds: maxSeconds } = options;
  if (cacheMaxBytes === 0) return undefined;
  const failed = atMostOncePerMinute((error) => {
    const message = "the response cache does not respond; queries with @cached run without it";
    log.warn("response-cache", { message, reason: messageOf(error) });
  });
  const store = redisUrl
    ? await openRedisStore(redisUrl, maxSeconds, failed)
    : new MemoryStore(Math.ceil(cacheMaxBytes / (siblings?.workers ?? 1)));
  started.add(() => store.close());
  const owner = redisUrl ? await installation() : "";
  const realms = new WeakMap<Generation, string>();
  const maxBytes = cacheMaxEntrySize * 1024 * 1024;
  const cache = new ResponseCache({ store, meters, maxSeconds, maxBytes, failed });
  siblings?.onClear((cleared) => cache.clear(cleared));
  return {
    cache,
    clearing: siblings && redisUrl === null ? { clear: (cleared) => siblings.clearAll(cleared) } : cache,
    realmOf(generation) {
      const realm = realms.get(generation) ?? realmOf(owner, generation);
      realms.set(generation, realm);
      return realm;
    },
  };
}

/**
 * Returns a hash that is equal for instances that share data in Redis. It covers the databases, because test and
 * production servers with equal metadata may use the same Redis server.
 */
function realmOf(owner: string, { resourceVersion, sources }: Generation): string {
  const servers = [...sources.values()]
    .map(({ name, server, routes }) => [
      name,
      server ?? "",
      ...[...(routes?.members ?? [])].map(([member, { server: own }]) => `${member} ${own ?? ""}`),
    ])
    .sort();
  return createHash("sha256")
    .update(JSON.stringify([owner, resourceVersion, servers]))
    .digest("base64url");
}

async function openRedisStore(url: Secret, maxSeconds: number, failed: (error: unknown) => void) {
  const [{ openRedis }, { RedisStore }] = await Promise.all([
    import("../../execute/caching/open-redis.ts"),
    import("../../execute/caching/redis-store.ts"),
  ]);
  return new RedisStore({ client: openRedis(url.reveal(), failed), maxSeconds });
}

/** The minimum interval between log lines about an unresponsive store. */
const minLogInterval = 60_000;
/** Returns a function that passes at most one error per minute to `write`. */
function atMostOncePerMinute(write: (error: unknown) => void): (error: unknown) => void {
  let last = -Infinity;
  return (error) => {
    const now = performance.now();
    if (now - last < minLogInterval) return;
    last = now;
    write(error);
  };
}
