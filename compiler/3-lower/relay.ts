/** Lowers the Relay fields and nodes of a role to the IR of its `relay.ts`. */

import { keyFields } from "../2-analyze/analyzed-table.ts";
import { dialectOf } from "../dialects/index.ts";
import { rowsRoot } from "./functions.ts";
import type { ConnectionRootIr, NodeRootIr, RelayIr, RelayRootIr } from "./ir.ts";
import type { RoleInputs } from "./role-inputs.ts";
import type { RootInputs } from "./root-inputs.ts";
import { byField, inNamespaces, isListed } from "./roots.ts";
import { refTo } from "./table-names.ts";

export function lowerRelay(inputs: RoleInputs): RelayIr {
  return { role: inputs.role, query: relayRoots(inputs, "query"), subscription: relayRoots(inputs, "subscription") };
}

function relayRoots(
  { tables, functions, namespaces }: RoleInputs,
  operation: "query" | "subscription",
): readonly RelayRootIr[] {
  const nodes = tables.filter(isNode);
  const connections = nodes.flatMap((inputs): ConnectionRootIr[] => {
    const { source, table, connectionField: field, select } = inputs;
    if (field === null || !isListed(select, "select", operation)) return [];
    return [{ field, kind: "select_connection", table: refTo(source, table) }];
  });
  const ofFunctions = functions.flatMap((inputs): ConnectionRootIr[] => {
    if (!inputs.pages[operation]) return [];
    const { function: called, table } = rowsRoot(inputs);
    return [{ field: inputs.rootFields.connection, kind: "function_connection", function: called, table }];
  });
  const roots = inNamespaces(distinct([...connections, ...ofFunctions], namespaces), namespaces);
  return byField([...roots, ...nodeRoot(tables, operation)]);
}

/** Returns true if the role may select from the table and its key is in the schema. */
function isNode({ kind, readable, primaryKey }: RootInputs): boolean {
  return readable && keyFields(primaryKey) !== undefined && dialectOf(kind).runtime.dialect.relay !== undefined;
}

/** Returns the `node` field, which requires the permission to select by primary key. */
function nodeRoot(tables: readonly RootInputs[], operation: "query" | "subscription"): readonly NodeRootIr[] {
  const excluded = tables.filter((inputs) => !isNode(inputs) || !isListed(inputs.select, "select_by_pk", operation));
  if (excluded.length === tables.length) return [];
  return [{ field: "node", kind: "node", except: excluded.map(({ source, table }) => refTo(source, table)) }];
}

/** Removes duplicate names that arise only in the Relay schema; the first source keeps its field. */
function distinct(
  roots: readonly ConnectionRootIr[],
  namespaces: RoleInputs["namespaces"],
): readonly ConnectionRootIr[] {
  const fields = new Map<string, ConnectionRootIr>();
  for (const root of roots) {
    const name = JSON.stringify([namespaces[root.table.source] ?? null, root.field]);
    if (!fields.has(name)) fields.set(name, root);
  }
  return [...fields.values()];
}
