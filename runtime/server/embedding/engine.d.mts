/**
 * What programs import to run an engine inside themselves: from the package, or from `engine.mjs` of an artifact.
 * Written by hand, since both ship it as it is.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { GraphQLSchema } from "graphql";
import type { EngineConfig } from "./config.mjs";

/** Opens what `engine start` or an artifact's server would, without listening. Rejects where these would not start. */
export declare function openEngine(settings?: EngineSettings): Promise<Engine>;

export interface EngineSettings {
  /** The variables that a server would be started with; default `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Takes each line of the log, which goes to standard output otherwise. */
  readonly log?: (line: string) => void;
  /** What `engine.config.ts` would set; artifacts may have one built in, beside which none is taken. */
  readonly config?: EngineConfig;
  /** Of artifacts: what happens when a database is not the one that it was built for; default `refuse`. */
  readonly drift?: "refuse" | "warn";
}

export interface Engine {
  /**
   * What a role may ask, as a schema for any GraphQL executor. It describes the metadata of now; operations are checked
   * against those of their time. Executors pass an `EngineContext`.
   */
  engineSchema(role: string, options?: EngineSchemaOptions): GraphQLSchema;
  /**
   * Who asks, where the program knows it.
   * @param variables session variables by their names, which begin with `x-engine-`
   */
  session(role: string, variables?: Readonly<Record<string, string>>): EngineSession;
  /**
   * Who asks, by the headers of a request and the ways of authentication that the environment sets. Rejects with a
   * GraphQLError where they tell nobody; its extensions have the HTTP status for servers to answer with.
   */
  authenticate(headers: EngineHeaders): Promise<EngineSession>;
  /**
   * Answers a request of the Fetch standard as the engine's server would at its path: `/v1/graphql`, `/api/rest/…`,
   * `/healthz` and all others. Rejects where the request is aborted.
   */
  fetch(request: Request, from?: EngineClient): Promise<Response>;
  /**
   * The same for `node:http`, and for frameworks that hand on its requests. Nothing may have read the body before, but
   * for hosts that keep it as `rawBody`.
   */
  listener(request: IncomingMessage, reply: ServerResponse): void;
  /** Takes over WebSockets for subscriptions: for the event `upgrade` of a server of `node:http`. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /**
   * Ends subscriptions, lets work in progress finish until `ENGINE_GRAPHQL_GRACEFUL_SHUTDOWN_TIMEOUT`, and ends
   * everything that was opened. Later requests get 503.
   */
  close(): Promise<void>;
}

export interface EngineSchemaOptions {
  /** `relay`: with global ids and connections; default `graphql`. */
  readonly api?: "graphql" | "relay";
  /** With what only sessions with `x-engine-use-backend-only-permissions` may ask; default false. */
  readonly backendOnly?: boolean;
}

/** Where a request came from, as far as the program knows. */
export interface EngineClient {
  /** Address of the client, where limits tell clients apart by it. */
  readonly peer?: string | undefined;
}

/** Made by `session` and `authenticate` alone: no other object passes for one. */
export interface EngineSession {
  readonly role: string;
  /** When it ends, in milliseconds since 1970; absent: never. */
  readonly expiresAt?: number | undefined;
}

/** The `contextValue` of executions, or a part of it. */
export interface EngineContext {
  readonly session: EngineSession;
  /** Address of the client, where limits tell clients apart by it. */
  readonly peer?: string | undefined;
  /** Ends the queries of a caller who is gone. */
  readonly signal?: { readonly aborted: boolean } | undefined;
}

/** As `node:http` has them, or a `Headers`. */
export type EngineHeaders =
  | Iterable<readonly [string, string]>
  | Readonly<Record<string, string | readonly string[] | undefined>>;
