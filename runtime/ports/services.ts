/**
 * The services behind the transports. A live server connects them to its control plane, a sealed server to a loaded
 * artifact; handlers work with either.
 */

import type { EngineError } from "../values/errors.ts";
import type { ResponseMemory } from "../values/response-memory.ts";
import type { DumpService, ExplainService, MetadataService } from "./administration.ts";
import type { AdmissionService } from "./admission.ts";
import type { AgentToolService } from "./agent-tools.ts";
import type { Authenticator } from "./authentication.ts";
import type { FallbackService } from "./fallback.ts";
import type { FindSavedText, GraphqlRequest, GraphqlService } from "./graphql.ts";
import type { HealthService } from "./health.ts";
import type { ResponseCacheService } from "./response-cache.ts";
import type { RestService } from "./rest.ts";
import type { Telemetry } from "./telemetry.ts";

/** A slow run of an operation. */
export interface SlowRun {
  readonly role: string;
  readonly hasFailed: boolean;
  readonly milliseconds: number;
}

export interface SlowOperationSink {
  note(request: GraphqlRequest, run: SlowRun): void;
}

/** Counts requests by role. */
export interface RoleUsageSink {
  /** @param bytes size of the response before compression */
  note(role: string, hasFailed: boolean, milliseconds: number, bytes: number): void;
}

/** A call of a tool by an assistant, without its arguments. */
export interface ToolCall {
  /** `null` if the role has no such tool. */
  readonly tool: string | null;
  readonly role: string;
  readonly outcome: ToolCallOutcome;
  /** Code of the error; `null` without an error. */
  readonly code: string | null;
  readonly milliseconds: number;
  readonly requestId: string;
  /** Name that the client program reports, which any client can choose; empty if it reports none. */
  readonly client: string;
}

/** `unconfirmed`: only the effect was reported, because no person has confirmed the write. */
export type ToolCallOutcome = "success" | "error" | "unconfirmed";

export interface ToolCallSink {
  note(call: ToolCall): void;
}

/** Services of every server, including sealed ones. */
export interface RequestServices {
  readonly admission: AdmissionService;
  readonly graphql: GraphqlService;
  /** GraphQL execution on the Relay schema. */
  readonly relay: GraphqlService;
  readonly savedText: FindSavedText;
  readonly rest: RestService;
  readonly agentTools: AgentToolService;
  /** The response cache. */
  readonly responses: ResponseCacheService;
  readonly health: HealthService;
  readonly authenticator: Authenticator;
  /** Memory budget of all responses. */
  readonly responseMemory: ResponseMemory;
  readonly telemetry: Telemetry;
  /** Serves operations that this server lacks fields for; absent without `--fallback`. */
  readonly fallback?: FallbackService | undefined;
  /** Receives slow operations; absent if they are not collected. */
  readonly slowOperations?: SlowOperationSink;
  /** Receives calls of tools; absent if they are not collected. */
  readonly toolCalls?: ToolCallSink;
  /** Counts requests by role; absent if they are not counted. */
  readonly roleUsage?: RoleUsageSink;
  /** Reports errors other than `EngineError`: logs the stack and returns an `unexpected` error for the client. */
  readonly reportBug: (error: unknown, requestId: string) => EngineError;
}

/** Services of a server with metadata. */
export interface Services extends RequestServices {
  readonly metadata: MetadataService;
  readonly dump: DumpService;
  readonly explain: ExplainService;
}
