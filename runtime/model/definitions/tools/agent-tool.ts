/** Tools for assistants (`/mcp`): saved operations with a name, limits and schemas of their arguments and results. */
import type { SavedOperation } from "../saved/operation.ts";

/** A tool as the metadata defines it, the same for all roles. */
export interface AgentToolDefinition {
  readonly name: string;
  readonly title?: string;
  /** Absent: the descriptions of the operation's root fields, as a role sees them. */
  readonly description?: string;
  readonly operation: SavedOperation;
  readonly limits: AgentToolLimits;
  /** OAuth scopes that the token of a caller must contain, all of them; absent if there are none. */
  readonly scopes?: readonly string[];
}

export function agentTool(definition: AgentToolDefinition): AgentToolDefinition {
  return definition;
}

/** A tool with the description for the model. */
export interface AgentTool extends AgentToolDefinition {
  readonly description: string;
}

export interface AgentToolLimits {
  /** Maximum number of items of all lists in the result. */
  readonly rows: number;
  /** Maximum size of the result in bytes of JSON. */
  readonly bytes: number;
  readonly seconds: number;
}

/** Properties of a tool that follow from its operation and the schema of a role. */
export interface AgentToolHints {
  readonly readOnly: boolean;
  /** True if it may change or delete existing rows. */
  readonly destructive: boolean;
  /** True if a second call with the same arguments has no further effect. */
  readonly idempotent: boolean;
  /** True if it calls actions or remote schemas. */
  readonly openWorld: boolean;
}

/** A tool as a role sees it. */
export interface RoleTool {
  readonly tool: AgentTool;
  readonly hints: AgentToolHints;
  /** JSON Schemas (2020-12) of type `object`. */
  readonly input: JsonSchema;
  readonly output: JsonSchema;
}

export type JsonSchema = { readonly [keyword: string]: unknown };
