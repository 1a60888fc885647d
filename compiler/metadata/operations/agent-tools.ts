/** Operations on tools for assistants. */

import type { z } from "zod";
import type { AgentTool } from "../../catalog/outside-sources.ts";
import { agentTool } from "../../catalog/schema/agent-tools.ts";
import { object } from "../../catalog/schema/combinators.ts";
import { nonEmptyText, roleName } from "../../catalog/schema/scalars.ts";
import { fail, ok, type Result } from "../../diagnostics/diagnostic.ts";
import { put, set, without } from "../edit.ts";
import { hintFor, isInconsistent } from "../lookups.ts";
import { type Change, ioOperation, operation, type Request } from "../operation.ts";

function createTool(request: Request<AgentTool>): Result<Change> {
  const { catalog, path, input } = request;
  const id = { kind: "agent_tool" as const, name: input.name };
  const isTaken = catalog.agent_tools.some(({ name }) => name === input.name);
  if (isTaken && !isInconsistent(request, id)) {
    return fail("already-exists", path, `tool with name "${input.name}" already exists`);
  }
  const tools = put(catalog.agent_tools, input, ({ name }) => name === input.name);
  return ok({ catalog: set(catalog, "agent_tools", tools), targets: [id] });
}

const dropArguments = object({ about: { name: "Name of the tool." }, required: { name: nonEmptyText } });

function dropTool({ catalog, path, input }: Request<z.output<typeof dropArguments>>): Result<Change> {
  const names = catalog.agent_tools.map(({ name }) => name);
  if (!names.includes(input.name)) {
    const message = `tool with name "${input.name}" does not exist`;
    return fail("not-exists", path, message, hintFor(input.name, names));
  }
  const tools = without(catalog.agent_tools, ({ name }) => name === input.name);
  return ok({ catalog: set(catalog, "agent_tools", tools) });
}

export const agentToolOperations = [
  operation("create_agent_tool", {
    about: "Makes a saved operation a tool that assistants may call.",
    effect: "change",
    endpoints: { metadata: "plain" },
    input: agentTool,
    check: "target",
    apply: createTool,
  }),
  operation("drop_agent_tool", {
    about: "Removes a tool for assistants. The operation stays in its collection.",
    effect: "change",
    endpoints: { metadata: "plain" },
    input: dropArguments,
    check: "new-entries",
    apply: dropTool,
  }),
  ioOperation("get_agent_tools", {
    about: "Returns the tools of a role with their schemas, hints and limits, as assistants see them.",
    endpoints: { metadata: "plain" },
    input: object({ about: { role: "Role of the metadata." }, required: { role: roleName } }),
  }),
];
