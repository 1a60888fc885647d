/**
 * Returns true if the schema of admin has a query field of this name. Operations use it to refuse a name that is in
 * use.
 */

import type { Analysis, AnalyzedSource } from "../2-analyze/analysis.ts";
import type { AnalyzedTable } from "../2-analyze/analyzed-table.ts";
import { remoteRootFields } from "../2-analyze/rules/remote-names.ts";
import { actionRoots } from "../2-analyze/rules/root-fields.ts";
import { ofGroup } from "../2-analyze/table-map.ts";

export function isQueryRootField({ sources, actions, remoteSchemas }: Analysis, field: string): boolean {
  const action = actions.get(field);
  if (action !== undefined && actionRoots(action).has("query")) return true;
  for (const { shape, names } of remoteSchemas.values()) {
    if (shape !== undefined && remoteRootFields(shape, names, "query").includes(field)) return true;
  }
  return [...sources.values()].some((source) => hasQueryRootField(source, field));
}

function hasQueryRootField(source: AnalyzedSource, field: string): boolean {
  const namespace = source.source.customization?.root_fields?.namespace;
  if (namespace !== undefined) return field === namespace;
  const functions = [...source.functions.values()].filter(({ exposedAs }) => exposedAs === "query");
  return (
    source.nativeQueries.has(field) ||
    source.storedProcedures.has(field) ||
    functions.some(({ rootFields }) => rootFields.function === field || rootFields.aggregate === field) ||
    source.tables.groups.some((group) => fieldsOfGroup(group).has(field))
  );
}

const fieldsOfGroup = ofGroup((group): ReadonlySet<string> => new Set(group.flatMap(fieldsOfTable)));

function fieldsOfTable({ rootFields, primaryKey }: AnalyzedTable): readonly string[] {
  if (rootFields === null) return [];
  const { select, select_aggregate, select_by_pk } = rootFields;
  return [select.name, select_aggregate.name, ...(primaryKey.length > 0 ? [select_by_pk.name] : [])];
}
