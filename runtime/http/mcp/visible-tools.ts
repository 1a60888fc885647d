/** The tools that a caller sees: those of its role, without writes if they are forbidden, and the built-in tools. */
import type { Options } from "../../config/option-table.ts";
import type { JsonSchema, RoleTool } from "../../model/definitions/tools/agent-tool.ts";
import type { AgentToolService } from "../../ports/agent-tools.ts";
import type { Session } from "../../values/session.ts";

export type ToolSettings = Pick<Options, "mcpWrites" | "mcpQueryData" | "mcpDescribe"> & {
  /** True if only saved operations run, so that there are no built-in tools, resources and prompts. */
  readonly isClosed?: boolean;
};

export type VisibleTool =
  | { readonly kind: "saved"; readonly name: string; readonly tool: RoleTool }
  | { readonly kind: "query" | "describe"; readonly name: string };

const queryTool: VisibleTool = { kind: "query", name: "query_data" };
const describeTool: VisibleTool = { kind: "describe", name: "describe" };

/** Returns the tools in the order of their names. A tool of the metadata hides the built-in one of the same name. */
export function visibleTools(
  tools: AgentToolService,
  settings: ToolSettings,
  session: Session,
): readonly VisibleTool[] {
  const saved = tools.list(session).filter((tool) => isServed(tool, settings));
  const all = saved.map((tool): VisibleTool => ({ kind: "saved", name: tool.tool.name, tool }));
  const taken = new Set(all.map(({ name }) => name));
  all.push(...builtIn(settings).filter(({ name }) => !taken.has(name)));
  return all.sort((a, b) => (a.name < b.name ? -1 : 1));
}

export function findTool(
  tools: AgentToolService,
  settings: ToolSettings,
  session: Session,
  name: string,
): VisibleTool | undefined {
  const tool = tools.find(session, name);
  if (tool !== undefined) return isServed(tool, settings) ? { kind: "saved", name, tool } : undefined;
  return builtIn(settings).find((each) => each.name === name);
}

/** Returns the built-in tools that the options enable. */
export function builtIn({ mcpQueryData, mcpDescribe, isClosed }: ToolSettings): readonly VisibleTool[] {
  if (isClosed) return [];
  return [...(mcpDescribe ? [describeTool] : []), ...(mcpQueryData ? [queryTool] : [])];
}

const isServed = ({ hints }: RoleTool, { mcpWrites }: ToolSettings): boolean =>
  hints.readOnly || mcpWrites !== "forbid";

/**
 * Returns the name of the argument by which a client without forms confirms a write. Its name is `confirm` unless a
 * variable of the operation has this name.
 */
export function confirmationArgument({ properties }: JsonSchema): string {
  let name = "confirm";
  while (Object.hasOwn(Object(properties), name)) name = `${name}_write`;
  return name;
}

// Definitions, as `tools/list` returns them.

/** @param confirms true if writes have an argument for their confirmation */
export function toolDefinition(tool: VisibleTool, confirms: boolean): string {
  switch (tool.kind) {
    case "query":
      return queryDefinition;
    case "describe":
      return describeDefinition;
    case "saved": {
      const kept = confirms && !tool.tool.hints.readOnly ? confirmed : plain;
      let text = kept.get(tool.tool);
      if (text === undefined) {
        text = savedDefinition(tool.tool, kept === confirmed);
        kept.set(tool.tool, text);
      }
      return text;
    }
  }
}

/** Texts of definitions, which are the same for all callers of a role. */
const plain = new WeakMap<RoleTool, string>();
const confirmed = new WeakMap<RoleTool, string>();

function savedDefinition({ tool, hints, input, output }: RoleTool, confirms: boolean): string {
  const { name, title, description } = tool;
  return JSON.stringify({
    name,
    ...(title !== undefined && { title }),
    description,
    inputSchema: confirms ? withConfirmation(input) : input,
    outputSchema: output,
    annotations: annotations(hints, title),
  });
}

function annotations(
  { readOnly, destructive, idempotent, openWorld }: RoleTool["hints"],
  title: string | undefined,
): object {
  return {
    ...(title !== undefined && { title }),
    readOnlyHint: readOnly,
    destructiveHint: destructive,
    idempotentHint: idempotent,
    openWorldHint: openWorld,
  };
}

function withConfirmation(input: JsonSchema): JsonSchema {
  const description =
    "Set to true only after a person has seen the effect of the call and agreed. Without it, the call reports the " +
    "rows that it would change, and changes nothing.";
  const properties = {
    ...Object(input.properties),
    [confirmationArgument(input)]: { type: "boolean", description },
  };
  return { ...input, type: "object", properties };
}

const readHints = { readOnly: true, destructive: false, idempotent: true, openWorld: false };

export const queryInput: JsonSchema = {
  type: "object",
  properties: {
    query: { type: "string", description: "GraphQL document with queries only" },
    variables: { type: "object", description: "Values of its variables, by name" },
    operation_name: { type: "string", description: "Name of the operation, if the document has several" },
  },
  required: ["query"],
  additionalProperties: false,
};

const queryDefinition = JSON.stringify({
  name: queryTool.name,
  title: "Query data",
  description:
    "Runs a read-only GraphQL query with the permissions of your role. Prefer a specific tool if there is one. " +
    "Select only the fields that you need, and limit lists.",
  inputSchema: queryInput,
  annotations: annotations(readHints, "Query data"),
});

export const describeInput: JsonSchema = {
  type: "object",
  properties: {
    name: { type: "string", description: "Table or type to describe with all columns; absent for the list of tables" },
    search: { type: "string", description: "Words that the name or description of a listed table must contain" },
    cursor: { type: "string", description: "Position of the next page, from the previous page" },
  },
  additionalProperties: false,
};

const describeDefinition = JSON.stringify({
  name: describeTool.name,
  title: "Describe the data",
  description: "Lists the tables that your role may read, or describes one with its columns and relationships.",
  inputSchema: describeInput,
  annotations: annotations(readHints, "Describe the data"),
});
