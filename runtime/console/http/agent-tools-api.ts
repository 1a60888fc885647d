/** Client of the operations on tools for assistants. */
import { runOperation } from "./metadata-api.ts";
import type { JsonObject } from "./metadata-types.ts";

export interface ToolHints {
  readonly read_only: boolean;
  readonly destructive: boolean;
  readonly idempotent: boolean;
  readonly open_world: boolean;
}

/** A tool as a role sees it. */
export interface RoleTool {
  readonly name: string;
  readonly title: string | null;
  readonly description: string;
  readonly operation: { readonly collection: string; readonly query: string; readonly kind: "query" | "mutation" };
  readonly hints: ToolHints;
  readonly limits: { readonly rows: number; readonly bytes: number; readonly seconds: number };
  readonly scopes: readonly string[];
  readonly input_schema: JsonObject;
  readonly output_schema: JsonObject;
}

/** Returns the tools of a role. @throws ApiError */
export const agentTools = async (role: string): Promise<readonly RoleTool[]> =>
  (await runOperation<{ readonly tools: readonly RoleTool[] }>({ type: "get_agent_tools", args: { role } })).tools;

export const callOutcomes = ["success", "error", "unconfirmed"] as const;
export type CallOutcome = (typeof callOutcomes)[number];

/** A call of a tool, without its arguments and result. */
export interface ToolCall {
  /** End of the call in ISO 8601. */
  readonly at: string;
  /** `null` if the role has no such tool. */
  readonly tool: string | null;
  readonly role: string;
  readonly outcome: CallOutcome;
  readonly code: string | null;
  /** In seconds. */
  readonly execution_time: number;
  /** Name that the client reports; empty if it reports none. */
  readonly client: string;
  readonly request_id: string;
}

/** Returns the calls of the last hour, newest first. @throws ApiError */
export const toolCalls = (): Promise<readonly ToolCall[]> => runOperation({ type: "get_tool_calls", args: {} });
