/** Rules of tools for assistants: their operation is a single query or mutation of a collection. */
import type { Catalog } from "../../catalog/catalog.ts";
import type { AgentTool } from "../../catalog/outside-sources.ts";
import type { SavedQuery } from "../analysis.ts";
import { agentToolObject } from "../metadata-objects.ts";
import { queriesByName } from "../queries-by-name.ts";
import type { Findings } from "../rejection.ts";
import { checkSingleOperation } from "./single-operation.ts";

/** Returns the consistent tools by name, sorted. */
export function analyzeAgentTools(
  { agent_tools, query_collections }: Catalog,
  savedOperations: ReadonlyMap<string, SavedQuery>,
  findings: Findings,
): ReadonlyMap<string, AgentTool> {
  const scope = { collections: queriesByName(query_collections), savedOperations };
  const consistent: AgentTool[] = [];
  for (const tool of findings.withoutDuplicates(agent_tools, ({ name }) => name, agentToolObject)) {
    const found = findings.attempt(
      () => agentToolObject(tool),
      `in tool ${tool.name}: `,
      () => {
        const { collection_name: collection, query_name: query } = tool.definition.query;
        checkSingleOperation({ collection, query }, scope);
        return tool;
      },
    );
    if (found !== undefined) consistent.push(found);
  }
  consistent.sort((a, b) => (a.name < b.name ? -1 : 1));
  return new Map(consistent.map((tool) => [tool.name, tool]));
}
