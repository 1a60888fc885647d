/**
 * All that the transport asks for. A live server wires these to its control plane, a sealed one to a loaded artifact;
 * handlers cannot tell the difference.
 */
import type { AnswerMemory } from "../values/answer-memory.ts";
import type { EngineError } from "../values/errors.ts";
import type { DumpService, ExplainService, MetadataService } from "./administration.ts";
import type { AdmissionService } from "./admission.ts";
import type { Authenticator } from "./authentication.ts";
import type { GraphqlRequest, GraphqlService } from "./graphql.ts";
import type { HealthService } from "./health.ts";
import type { ResponseCacheService } from "./response-cache.ts";
import type { RestService } from "./rest.ts";
import type { Telemetry } from "./telemetry.ts";

/** How an operation took long. */
export interface SlowRun {
  readonly role: string;
  readonly hasFailed: boolean;
  readonly milliseconds: number;
}

export interface SlowOperationSink {
  note(request: GraphqlRequest, run: SlowRun): void;
}

/** What every server offers, also a sealed one. */
export interface RequestServices {
  readonly admission: AdmissionService;
  readonly graphql: GraphqlService;
  /** The same on the Relay schema. */
  readonly relay: GraphqlService;
  readonly rest: RestService;
  /** Answers that are kept. */
  readonly responses: ResponseCacheService;
  readonly health: HealthService;
  readonly authenticator: Authenticator;
  /** Of the answers to all requests. */
  readonly answerMemory: AnswerMemory;
  readonly telemetry: Telemetry;
  /** Told of each operation that took long; absent: nobody asks for them. */
  readonly slowOperations?: SlowOperationSink;
  /** Called for errors that are not `EngineError`s: logged with their stack, answered as `unexpected`. */
  readonly reportBug: (error: unknown, requestId: string) => EngineError;
}

/** With what only a server that has the metadata can do. */
export interface Services extends RequestServices {
  readonly metadata: MetadataService;
  readonly dump: DumpService;
  readonly explain: ExplainService;
}
