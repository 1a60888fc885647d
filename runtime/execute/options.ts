/** Options for planning and running operations, for all services. */

import type { PlanOptions } from "../model/planner/select/context.ts";
import type { SchemaApi } from "../model/schema/role-schema.ts";
import type { Continuity } from "../ports/continuity.ts";
import type { ResponseCacheService } from "../ports/response-cache.ts";
import type { Telemetry } from "../ports/telemetry.ts";
import type { ActionCalls } from "./actions/action-calls.ts";
import type { ResponseCache } from "./caching/response-cache.ts";
import type { Generation } from "./generation.ts";
import type { InputValidator } from "./input-validator.ts";
import type { RemoteRequests } from "./remote/remote-requests.ts";
import type { QueryLog } from "./running-operation.ts";
import type { VariableOptions } from "./variables.ts";

/** Services for remote calls, with the limit on joined results. */
export type RemoteServices = Pick<ExecuteOptions, "remote" | "actions" | "maxJoined">;

export interface ExecuteOptions extends PlanOptions, VariableOptions {
  readonly validator: InputValidator;
  readonly remote: RemoteRequests;
  readonly actions: ActionCalls;
  /** Maximum length of joined values for one request, in characters. If absent, the default applies. */
  readonly maxJoined?: number | undefined;
  readonly continuity: Continuity;
  readonly telemetry?: Telemetry;
  /** Log of operations; absent if they are not logged. */
  readonly queryLog?: QueryLog | undefined;
  /** Response cache. If absent, responses are not cached and `@cached` has no effect. */
  readonly responses?: ResponseCaching | undefined;
  /** If true, mutations are refused. */
  readonly readOnly: boolean;
  /** Schema of the operation; absent for the schema of `/v1/graphql`. */
  readonly api?: SchemaApi;
  /** If true, the statements of a query cannot write, whatever functions they call. */
  readonly onlyReads?: true;
  /** Maximum duration of an operation, besides the limit of its role. */
  readonly maxMilliseconds?: number;
  /** If true, errors include the missing permission (development mode). */
  readonly explainRefusals: boolean;
  /** If true, errors state whether another server may serve the operation (`EngineError.unserved`). */
  readonly findsUnserved?: boolean;
  /**
   * Set for root fields of an operation that was checked as a whole. They skip the allow-list, which does not contain
   * them.
   */
  readonly arePartsOfChecked?: true;
}

/** Options of one transport. */
export interface OperationOptions extends ExecuteOptions {
  /** True if the transport can deliver more than one result. */
  readonly subscriptions: boolean;
}

/** The response cache of a server. */
export interface ResponseCaching {
  readonly cache: ResponseCache;
  /** Clears the caches of all processes of the server. */
  readonly clearing: ResponseCacheService;
  /** Returns a key that differs by installation, databases and metadata version. */
  realmOf(generation: Generation): string;
}
