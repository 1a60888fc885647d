/**
 * The GraphQL schema of one role, derived from the views and root fields that its generated modules declare
 * (`graphql-api.md` 2). Nothing is derived before it is asked for, so that a role with hundreds of tables costs
 * what its requests use.
 */
import type { RoleDefinition, RootField, SubscriptionRoot, TablesByName } from "../roots.ts";
import { mutationType } from "./mutation-types.ts";
import { queryField, subscriptionField } from "./query-types.ts";
import { TypeRegistry } from "./registry.ts";
import { rootType } from "./root-type.ts";
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
  /** `null` when there are none. */
  readonly subscription: ObjectTypeDef | null;
  /** `null` when there are none. */
  readonly mutation: ObjectTypeDef | null;
  readonly tables: TablesByName;
}

export function roleSchema(definition: RoleDefinition, variant: SchemaVariant = "frontend"): RoleSchema {
  const types = new TypeRegistry(variant === "backend");
  return {
    role: definition.role,
    variant,
    types,
    query: queryType(types, definition),
    subscription: subscriptionType(types, definition),
    mutation: mutationType(types, definition, `mutation_${variant}`),
    tables: definition.tables,
  };
}

function queryType(types: TypeRegistry, { query }: RoleDefinition): ObjectTypeDef {
  const name = "query_root";
  const field = (root: RootField) => queryField(types, root);
  const type = rootType(types, query, { name, namespaces: "query", field });
  return type ?? { kind: "object", name, fields: () => new Map([["no_queries_available", placeholder(types)]]) };
}

function subscriptionType(types: TypeRegistry, { subscription }: RoleDefinition): ObjectTypeDef | null {
  const field = (root: SubscriptionRoot) => subscriptionField(types, root);
  return rootType(types, subscription, { name: "subscription_root", namespaces: "subscription", field });
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
