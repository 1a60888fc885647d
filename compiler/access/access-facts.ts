/** Reads the facts of explanations from an access file. */
import type { SchemaVariant } from "../../runtime/model/schema/role-schema.ts";
import { adminRole } from "../3-lower/admin-role.ts";
import type { PermissionKind } from "../catalog/model.ts";
import type { SchemaFacts } from "./explain-root.ts";
import type { Access, AccessTerms, RelationshipAccess, RoleAccess, TableAccess, TableTerms } from "./model.ts";
import { rootsOfAccess } from "./schema-reader.ts";
import type {
  MissingPermission,
  PermissionFacts,
  RoleFacts,
  SelectFacts,
  TableFacts,
  TableReader,
} from "./table-facts.ts";

export type ExplainedAccess = Access & { readonly terms: AccessTerms };

function roleFactsOf({ roles, terms }: ExplainedAccess, role: string): RoleFacts {
  const parents = Object.hasOwn(terms.parents, role) ? terms.parents[role] : undefined;
  return { known: Object.keys(roles), ...(parents && { parents }) };
}

/** @param key key of the table in the access file */
export function factsInAccess(
  access: ExplainedAccess,
  key: string,
  { role, operation }: { readonly role: string; readonly operation: PermissionKind },
): TableFacts {
  const terms = termsAt(access, key);
  return {
    displayName: terms.displayName,
    names: terms.names,
    key: terms.key,
    isSupported: terms.supports.includes(operation),
    role: roleFactsOf(access, role),
    permission: role === adminRole ? "every" : permissionIn(access, key, role, operation),
  };
}

const none: TableTerms = { displayName: "", source: "", type: null, names: [], key: [], supports: [], permissions: {} };

const termsAt = ({ terms }: ExplainedAccess, key: string): TableTerms =>
  Object.hasOwn(terms.tables, key) ? (terms.tables[key] ?? none) : none;

const roleAt = ({ roles }: Access, role: string): RoleAccess | undefined =>
  Object.hasOwn(roles, role) ? roles[role] : undefined;

const tableAt = (access: Access, role: string, key: string): TableAccess | undefined => {
  const tables = roleAt(access, role)?.tables ?? {};
  return Object.hasOwn(tables, key) ? tables[key] : undefined;
};

function permissionIn(
  access: ExplainedAccess,
  key: string,
  role: string,
  operation: PermissionKind,
): PermissionFacts | MissingPermission {
  const { permissions } = termsAt(access, key);
  const terms = Object.hasOwn(permissions, role) ? permissions[role]?.[operation] : undefined;
  const table = tableAt(access, role, key);
  const found = table?.[operation];
  if (terms === undefined || table === undefined || found === undefined) {
    return missingIn(access, permissions, role, operation);
  }
  const { owners } = terms;
  const { select } = table;
  if (operation === "select" && select) {
    return {
      owners,
      // Members of the file are sorted by name, and the names of the table are in its order.
      columns: termsAt(access, key).names.filter(
        (name) => Object.hasOwn(select.columns, name) || Object.hasOwn(select.computedFields, name),
      ),
      backendOnly: false,
      validated: false,
      presets: [],
      select: selectFacts(access, key, role, select, terms),
    };
  }
  return {
    owners,
    ...("columns" in found && "presets" in found && { columns: found.columns as readonly string[] }),
    backendOnly: "backendOnly" in found && found.backendOnly,
    validated: "validation" in found && found.validation !== undefined,
    presets: "presets" in found ? Object.keys(found.presets) : [],
    ...("merged" in found &&
      found.merged && {
        merged: new Map(Object.entries(found.merged).map(([parent, { columns }]) => [parent, columns])),
      }),
  };
}

function selectFacts(
  access: ExplainedAccess,
  key: string,
  role: string,
  { columns, computedFields, limit, aggregations }: NonNullable<TableAccess["select"]>,
  {
    queryRootFields = null,
    subscriptionRootFields = null,
  }: Partial<Pick<SelectFacts, "queryRootFields" | "subscriptionRootFields">>,
): SelectFacts {
  const cells = Object.entries({ ...columns, ...computedFields }).flatMap(([name, { parents }]) =>
    parents === undefined ? [] : [[name, parents] as const],
  );
  return {
    limit,
    aggregations,
    queryRootFields,
    subscriptionRootFields,
    cells: new Map(cells),
    target(name) {
      const target = relationshipIn(access, key, name);
      if (target === undefined) return undefined;
      const readable = tableAt(access, role, target.target)?.select;
      return {
        kind: target.kind === "array" ? "array" : "object",
        displayName: termsAt(access, target.target).displayName,
        isReadable: readable !== undefined,
        aggregations: readable?.aggregations === true,
      };
    },
  };
}

/** Returns a relationship to a table, as admin follows it. */
function relationshipIn(access: ExplainedAccess, key: string, name: string): RelationshipAccess | undefined {
  const { relationships = {} } = tableAt(access, adminRole, key)?.select ?? {};
  const found = Object.hasOwn(relationships, name) ? relationships[name] : undefined;
  return found && Object.hasOwn(access.terms.tables, found.target) ? found : undefined;
}

function missingIn(
  { terms }: ExplainedAccess,
  permissions: TableTerms["permissions"],
  role: string,
  operation: PermissionKind,
): MissingPermission {
  const has = (each: string) => Object.hasOwn(permissions, each) && permissions[each]?.[operation] !== undefined;
  const parents = (Object.hasOwn(terms.parents, role) ? (terms.parents[role] ?? []) : []).filter(has);
  // A select permission is always inherited, and so are write permissions that do not differ.
  if (operation !== "select" && parents.length > 1) return { missing: "conflict", parents };
  const others = Object.keys(permissions).filter((each) => permissions[each]?.[operation]?.owners.includes(each));
  return { missing: "undeclared", others };
}

/** Returns the facts of the schema of a role. */
export function schemaFactsOf(access: ExplainedAccess, role: string, variant: SchemaVariant): SchemaFacts {
  const typesOf = (name: string) => {
    const { schema = {}, backendSchema = {} } = roleAt(access, name) ?? {};
    return name === adminRole || variant === "backend" ? { ...schema, ...backendSchema } : schema;
  };
  const { roots, tables } = access.terms;
  return {
    action: { role, variant },
    role: roleFactsOf(access, role),
    own: rootsOfAccess(typesOf(role)),
    admin: rootsOfAccess(typesOf(adminRole)),
    owner(operation, path) {
      const name = [operation, ...path].join(".");
      return Object.hasOwn(roots, name) ? roots[name] : undefined;
    },
    table({ source, type }) {
      const found = Object.entries(tables).find(([, terms]) => terms.source === source && terms.type === type);
      return found && readerIn(access, found[0], role);
    },
  };
}

function readerIn(access: ExplainedAccess, key: string, role: string): TableReader {
  return {
    facts: (operation) => factsInAccess(access, key, { role, operation }),
    related(name) {
      const found = relationshipIn(access, key, name);
      return found && readerIn(access, found.target, role);
    },
    columnOf(field) {
      const columns = tableAt(access, adminRole, key)?.select?.columns ?? {};
      return Object.entries(columns).find(([, column]) => column.field === field)?.[0];
    },
    determinedBy(name) {
      const found = relationshipIn(access, key, name);
      // The rows of array relationships are written after the row above.
      return found?.kind === "array" ? found.on.map((pair) => pair.slice(pair.lastIndexOf(" = ") + 3)) : [];
    },
  };
}
