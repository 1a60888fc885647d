/**
 * The GraphQL schema of one role, derived from the views and root fields that its generated modules declare
 * (`graphql-api.md` 2). Nothing is derived before it is asked for, so that a role with hundreds of tables costs
 * what its requests use.
 */
import type { RoleDefinition, RootField, TablesByName } from "../roots.ts";
import { functionField } from "./function-roots.ts";
import { lazy, sortedMap } from "./lazy.ts";
import { mutationType } from "./mutation-types.ts";
import { aggregateType, keyArguments, listArguments, objectType } from "./output-types.ts";
import { TypeRegistry } from "./registry.ts";
import { noArguments, type ObjectTypeDef, type OutputField } from "./types.ts";

const noQueries =
  "There are no queries available to the current role. Either there are no sources or remote schemas configured, " +
  "or the current role doesn't have the required permissions.";

/** `backend`: with what only requests with the admin secret may ask for. */
export type SchemaVariant = "frontend" | "backend";

export interface RoleSchema {
  readonly role: string;
  readonly variant: SchemaVariant;
  readonly types: TypeRegistry;
  readonly query: ObjectTypeDef;
  /** The fields of the query type again; `null` when there are none. */
  readonly subscription: ObjectTypeDef | null;
  /** `null` when there are none. */
  readonly mutation: ObjectTypeDef | null;
  readonly tables: TablesByName;
}

export function roleSchema(definition: RoleDefinition, variant: SchemaVariant = "frontend"): RoleSchema {
  const types = new TypeRegistry(variant === "backend");
  const hasRoots = Object.keys(definition.query).length > 0;
  const fields = lazy((): ReadonlyMap<string, OutputField> => {
    if (!hasRoots) return new Map([["no_queries_available", placeholder(types)]]);
    return sortedMap(Object.entries(definition.query).map(([name, root]) => [name, rootField(types, root)]));
  });
  return {
    role: definition.role,
    variant,
    types,
    query: { kind: "object", name: "query_root", fields },
    subscription: hasRoots ? { kind: "object", name: "subscription_root", fields } : null,
    mutation: mutationType(types, definition),
    tables: definition.tables,
  };
}

function placeholder(types: TypeRegistry): OutputField {
  return {
    type: () => types.scalar("String"),
    list: false,
    required: true,
    description: () => noQueries,
    args: noArguments,
    meta: { kind: "constant", value: noQueries },
  };
}

function rootField(types: TypeRegistry, root: RootField): OutputField {
  const { view } = root;
  const field = { description: () => rootDescription(root), meta: { kind: "root", root } } as const;
  switch (root.kind) {
    case "select_many":
      return {
        ...field,
        type: () => objectType(types, view()),
        list: true,
        required: true,
        args: lazy(() => listArguments(types, view())),
      };
    case "select_by_pk":
      return {
        ...field,
        type: () => objectType(types, view()),
        list: false,
        required: false,
        args: lazy(() => keyArguments(types, view())),
      };
    case "select_aggregate":
      return {
        ...field,
        type: () => aggregateType(types, view()),
        list: false,
        required: true,
        args: lazy(() => listArguments(types, view())),
      };
    case "function":
    case "function_aggregate":
      return { ...field, ...functionField(types, root) };
  }
}

function rootDescription(root: RootField): string | undefined {
  if (root.description !== undefined) return root.description === "" ? undefined : root.description;
  const table = `"${root.view().table.displayName}"`;
  switch (root.kind) {
    case "select_many":
      return `fetch data from the table: ${table}`;
    case "select_by_pk":
      return `fetch data from the table: ${table} using primary key columns`;
    case "select_aggregate":
      return `fetch aggregated fields from the table: ${table}`;
    case "function":
      return `execute function "${root.function.function.displayName}" which returns ${table}`;
    case "function_aggregate": {
      const { displayName } = root.function.function;
      return `execute function "${displayName}" and query aggregates on result of table type ${table}`;
    }
  }
}
