/**
 * The API for running an engine inside another program: from the package, or from `engine.mjs` of an artifact. Written
 * by hand, because both ship this file unchanged.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { GraphQLSchema } from "graphql";
import type { EngineConfig } from "./config.mjs";

/** Opens the engine of `engine start` or of an artifact, without listening. Rejects if the server could not start. */
export declare function openEngine(settings?: EngineSettings): Promise<Engine>;

export interface EngineSettings {
  /** Environment variables of the server; default `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Receives each log line instead of standard output. */
  readonly log?: (line: string) => void;
  /** Configuration as in `engine.config.ts`. Not allowed for artifacts with a built-in configuration. */
  readonly config?: EngineConfig;
  /** For artifacts: the reaction to a database that differs from the one at build time; default `refuse`. */
  readonly drift?: "refuse" | "warn";
}

export interface Engine {
  /**
   * Returns the schema of a role for any GraphQL executor. It describes the current metadata; operations are checked
   * against the metadata when they run. Executors pass an `EngineContext`.
   */
  engineSchema(role: string, options?: EngineSchemaOptions): GraphQLSchema;
  /**
   * Creates a session for a caller that the program has authenticated.
   * @param variables session variables by name; names start with `x-engine-`
   */
  session(role: string, variables?: Readonly<Record<string, string>>): EngineSession;
  /**
   * Authenticates the headers of a request with the methods configured in the environment. Rejects with a GraphQLError
   * if authentication fails; its extensions contain the HTTP status for servers.
   */
  authenticate(headers: EngineHeaders): Promise<EngineSession>;
  /**
   * Handles a request of the Fetch standard like the engine's server: `/v1/graphql`, `/api/rest/…`, `/healthz` and all
   * other paths. Rejects if the request is aborted.
   */
  fetch(request: Request, from?: EngineClient): Promise<Response>;
  /**
   * Handles a request of `node:http`, or of frameworks based on it. The body must be unread, except on hosts that keep
   * it as `rawBody`.
   */
  listener(request: IncomingMessage, reply: ServerResponse): void;
  /** Handles WebSocket upgrades for subscriptions: a listener for the event `upgrade` of a `node:http` server. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /**
   * Ends subscriptions, waits for work in progress for at most `ENGINE_GRAPHQL_GRACEFUL_SHUTDOWN_TIMEOUT`, and closes
   * all resources. Later requests get status 503.
   */
  close(): Promise<void>;
}

export interface EngineSchemaOptions {
  /** `relay`: with global ids and connections; default `graphql`. */
  readonly api?: "graphql" | "relay";
  /** Includes fields for sessions with `x-engine-use-backend-only-permissions`; default false. */
  readonly backendOnly?: boolean;
}

/** Origin of a request, if the program can determine it. */
export interface EngineClient {
  /** Address of the client, for limits per client. */
  readonly peer?: string | undefined;
}

/** A session created by `session` or `authenticate`. Other objects are rejected. */
export interface EngineSession {
  readonly role: string;
  /** Expiry in milliseconds since 1970; absent if the session never expires. */
  readonly expiresAt?: number | undefined;
}

/** The `contextValue` of executions, or a part of it. */
export interface EngineContext {
  readonly session: EngineSession;
  /** Address of the client, for limits per client. */
  readonly peer?: string | undefined;
  /** Cancels queries after the caller has disconnected. */
  readonly signal?: { readonly aborted: boolean } | undefined;
}

/** Headers of `node:http`, or a `Headers` object. */
export type EngineHeaders =
  | Iterable<readonly [string, string]>
  | Readonly<Record<string, string | readonly string[] | undefined>>;
