/** `get_agent_tools`: the tools of a role, as assistants see them. */
import type { Json } from "../../compiler/catalog/model.ts";
import type { RoleTool } from "../model/definitions/tools/agent-tool.ts";
import { pathTo } from "../values/errors.ts";
import { unknownRole } from "./access.ts";
import type { IoHandlers } from "./io-handlers.ts";

export const agentToolHandlers: IoHandlers<"get_agent_tools"> = {
  get_agent_tools({ input: { role }, path }, { draft, generation }) {
    const known = new Set(draft.program.roles());
    if (!known.has(role)) throw unknownRole(role, known, pathTo(path, "role"));
    const tools = generation().agentTools({ role, backendOnly: false });
    return { role, tools: tools.map(describeTool) };
  },
};

function describeTool({ tool, hints, input, output }: RoleTool): Json {
  const { name, title = null, description, operation, limits, scopes = [] } = tool;
  const { collection, name: query, kind } = operation;
  return {
    name,
    title,
    description,
    operation: { collection, query, kind },
    hints: {
      read_only: hints.readOnly,
      destructive: hints.destructive,
      idempotent: hints.idempotent,
      open_world: hints.openWorld,
    },
    limits: { ...limits },
    scopes: [...scopes],
    // Plain JSON by construction.
    input_schema: input as Json,
    output_schema: output as Json,
  };
}
