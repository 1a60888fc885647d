/** What a role may ask of the Relay API (`graphql-api.md` 5.11) → the IR of its `relay.ts`. */
import { dialectOf } from "../dialects/index.ts";
import { rowsRoot } from "./functions.ts";
import type { ConnectionRootIr, NodeRootIr, RelayIr, RelayRootIr } from "./ir.ts";
import { keyFields } from "./key-fields.ts";
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

/** The role may read rows of the table, and they have a key. */
function isNode({ kind, readable, primaryKey }: RootInputs): boolean {
  return readable && keyFields(primaryKey) !== undefined && dialectOf(kind).runtime.dialect.relay !== undefined;
}

/** Asking for a row by its global id is asking for it by its primary key. */
function nodeRoot(tables: readonly RootInputs[], operation: "query" | "subscription"): readonly NodeRootIr[] {
  const others = tables.filter((inputs) => !isNode(inputs) || !isListed(inputs.select, "select_by_pk", operation));
  if (others.length === tables.length) return [];
  return [{ field: "node", kind: "node", except: others.map(({ source, table }) => refTo(source, table)) }];
}

/** Names that the Relay schema alone makes clash can come from several sources: the first one keeps its name. */
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
