/** Lowers a tool for assistants to the IR of its module, which all roles share. */
import type { AgentToolDefinition, AgentToolLimits } from "../../runtime/model/definitions/tools/agent-tool.ts";
import { invariant } from "../../runtime/values/errors.ts";
import type { Analysis, SavedQuery } from "../2-analyze/analysis.ts";
import { savedQueryKey } from "../2-analyze/saved-operations.ts";
import type { AgentTool } from "../catalog/outside-sources.ts";
import type { AgentToolIr } from "./ir.ts";
import { lowerSavedOperation, savedOperationOf } from "./saved-operations.ts";

const defaultLimits: AgentToolLimits = { rows: 1000, bytes: 256 * 1024, seconds: 30 };

/** Returns the consistent tools with their saved operations, sorted by name. */
export function agentToolInputs({ agentTools, savedOperations }: Analysis): readonly ToolInputs[] {
  return Array.from(agentTools.values(), (tool) => {
    const { collection_name: collection, query_name: name } = tool.definition.query;
    const saved = savedOperations.get(savedQueryKey({ collection, name }));
    invariant(saved, "the query of a consistent tool is a saved operation");
    return { tool, saved };
  });
}

/** A tool with its saved operation. */
export interface ToolInputs {
  readonly tool: AgentTool;
  readonly saved: SavedQuery;
}

export function lowerAgentTool({ tool, saved }: ToolInputs): AgentToolIr {
  const { name, title, limits, scopes } = tool;
  const description = tool.description ?? leadingComment(saved.query);
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    operation: { collection: saved.collection, name: saved.name },
    limits: { ...defaultLimits, ...limits },
    ...(scopes !== undefined && { scopes: [...scopes].sort() }),
  };
}

/** Returns the definition that the emitted module exports. */
export function agentToolOf({ tool, saved }: ToolInputs): AgentToolDefinition {
  return { ...lowerAgentTool({ tool, saved }), operation: savedOperationOf(lowerSavedOperation(saved)) };
}

/** Returns the comment above an operation. */
function leadingComment(text: string): string | undefined {
  const [comment = ""] = /^(\s*#.*(\n|$))*/.exec(text) ?? [];
  const lines = comment.split("\n").map((line) => line.trim().replace(/^#+\s*/, ""));
  return lines.filter((line) => line !== "").join(" ") || undefined;
}
