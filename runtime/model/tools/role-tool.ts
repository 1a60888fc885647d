/** Derives a tool of a role from its operation and the schema of the role. */
import type { SavedOperation } from "../definitions/saved/operation.ts";
import type { AgentToolDefinition, AgentToolHints, JsonSchema, RoleTool } from "../definitions/tools/agent-tool.ts";
import { describeOperation, type ResultField } from "../planner/request/describe-operation.ts";
import { readOperation } from "../planner/request/document.ts";
import type { SavedPlans } from "../planner/saved-plans.ts";
import type { RoleSchema } from "../schema/role-schema.ts";
import { type HintOptions, hintsOf } from "./hints.ts";
import { type InputOptions, inputSchema } from "./input-schema.ts";
import { outputSchema } from "./output-schema.ts";
import type { ResultOptions } from "./scalar-schemas.ts";

export interface RoleToolOptions extends HintOptions, InputOptions, ResultOptions {}

/** Returns the tool as a role sees it; `undefined` if its operation is not valid on the schema of the role. */
export function roleToolOf(
  tool: AgentToolDefinition,
  schema: RoleSchema,
  options: RoleToolOptions,
): RoleTool | undefined {
  const { operation } = tool;
  const { kind, text, operationName = null } = operation;
  if (kind === "subscription") return undefined;
  const described = describeOperation(readOperation(text, operationName), schema);
  if (described.faults.length + described.unknownInputs.length > 0) return undefined;
  return {
    tool: { ...tool, description: tool.description ?? derivedDescription(described.fields, operation) },
    hints: hintsOf(described.fields, kind, options),
    input: inputSchema(operation.variables, described.variables, options),
    output: outputSchema(described.fields, options),
  };
}

/** Returns the descriptions of the root fields as sentences. */
function derivedDescription(fields: readonly ResultField[], { kind, name }: SavedOperation): string {
  const sentences = fields.flatMap(rootDescriptions).map(sentence);
  return sentences.length === 0 ? `Runs the ${kind} ${name}.` : [...new Set(sentences)].join(" ");
}

function rootDescriptions({ selected, fields }: ResultField): readonly string[] {
  if (selected?.field.meta.kind === "namespace") return fields.flatMap(rootDescriptions);
  const description = selected?.field.description?.()?.trim();
  return description ? [description] : [];
}

const sentence = (text: string): string => {
  const capital = `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
};

/** A tool of a role in its generated module. */
interface RoleToolModule {
  readonly tool: AgentToolDefinition;
  /** Replaces an absent description of the tool. */
  readonly description?: string;
  readonly hints: AgentToolHints;
  readonly input: JsonSchema;
  readonly output: JsonSchema;
  /** The finished plans of the operation, for readers: calls find them by the operation. Absent if each call is planned. */
  readonly plans?: SavedPlans;
}

export function roleTool({ tool, description, hints, input, output }: RoleToolModule): RoleTool {
  return { tool: { ...tool, description: tool.description ?? description ?? "" }, hints, input, output };
}
