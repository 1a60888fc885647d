/** How operations are planned and run, whichever service they come by. */

import type { PlanOptions } from "../model/planner/select/context.ts";
import type { SchemaApi } from "../model/schema/role-schema.ts";
import type { Continuity } from "../ports/continuity.ts";
import type { Telemetry } from "../ports/telemetry.ts";
import type { ActionCalls } from "./actions/action-calls.ts";
import type { InputValidator } from "./input-validator.ts";
import type { KeptResponses } from "./kept-responses.ts";
import type { RemoteRequests } from "./remote/remote-requests.ts";
import type { QueryLog } from "./running-operation.ts";
import type { VariableOptions } from "./variables.ts";

/** What operations ask besides databases, and how much of what comes back may be joined. */
export type OutsideServices = Pick<ExecuteOptions, "remote" | "actions" | "mostJoined">;

export interface ExecuteOptions extends PlanOptions, VariableOptions {
  readonly validator: InputValidator;
  readonly remote: RemoteRequests;
  readonly actions: ActionCalls;
  /** In characters: as much may be joined for one request. Absent: the usual bound. */
  readonly mostJoined?: number | undefined;
  readonly continuity: Continuity;
  /** Absent: nobody is told. */
  readonly telemetry?: Telemetry;
  /** Absent: operations leave no lines of their own. */
  readonly queryLog?: QueryLog | undefined;
  /** Absent: answers are never kept, and `@cached` changes nothing. */
  readonly responses?: KeptResponses | undefined;
  /** Mutations are refused. */
  readonly readOnly: boolean;
  /** Absent: that of `/v1/graphql`. */
  readonly api?: SchemaApi;
  /** Errors say which permission a role lacks (development mode). */
  readonly explainRefusals: boolean;
  /** What is asked are parts of operations that were checked as a whole: no allow-list names a part. */
  readonly arePartsOfChecked?: true;
}

/** The same, for one way to send operations. */
export interface OperationOptions extends ExecuteOptions {
  /** Whether the transport can deliver more than one result. */
  readonly subscriptions: boolean;
}
