/**
 * The GraphQL schema of a role, derived from the views and root fields of its generated modules. Types are derived on
 * first use, so that the cost of a role with hundreds of tables depends on what its requests use.
 */
import { invariant } from "../../values/errors.ts";
import { lazy, sortedMap } from "../../values/lazy.ts";
import { rootCall } from "../definitions/root-call.ts";
import type {
  NodeRoot,
  QueryRoot,
  RelayDefinition,
  RoleDefinition,
  Roots,
  SubscriptionRoot,
  TablesByName,
} from "../definitions/roots.ts";
import type { TableView } from "../definitions/view.ts";
import type { RelayCipher } from "../relay/cipher.ts";
import { actionField, isActionRoot } from "./action-types.ts";
import { isRemoteRoot, mutationType, remoteRootField } from "./mutation-types.ts";
import { objectType } from "./output-types.ts";
import { queryField, subscriptionField } from "./query-types.ts";
import { type KeptTypes, type RelayTables, TypeRegistry } from "./registry.ts";
import { isNode, queryArgument } from "./relay-types.ts";
import { remoteTypes } from "./remote-types.ts";
import { representationStructure } from "./representations.ts";
import { rootFields, rootType } from "./root-type.ts";
import {
  type AbstractTypeDef,
  noArguments,
  type ObjectTypeDef,
  type OutputField,
  type ScalarTypeDef,
} from "./types.ts";

/** Field of an otherwise empty query type: GraphQL requires a field. */
export const noQueriesField = "no_queries_available";

const noQueries =
  "There are no queries available to the current role. Either there are no sources or remote schemas configured, " +
  "or the current role doesn't have the required permissions.";

/** `backend` includes permissions that apply only to requests with the admin secret. */
export type SchemaVariant = "frontend" | "backend";

/** The schema of `/v1/graphql`, or of the Relay API. */
export type SchemaApi = "graphql" | "relay";

export interface RoleSchema {
  readonly role: string;
  readonly variant: SchemaVariant;
  readonly api: SchemaApi;
  readonly types: TypeRegistry;
  readonly query: ObjectTypeDef;
  /** `null` if there are no subscriptions. */
  readonly subscription: ObjectTypeDef | null;
  /** `null` if there are no mutations. */
  readonly mutation: ObjectTypeDef | null;
  readonly tables: TablesByName;
  /** Returns the same schema for a single traversal, which caches only the latest types. */
  readonly transient: () => RoleSchema;
}

export interface RoleDefinitions {
  readonly definition: RoleDefinition;
  /** Definition for the Relay API; absent for `/v1/graphql`. */
  readonly relay?: RelayDefinition | undefined;
}

/**
 * Builds the schema of a role.
 * @param relay definition for the Relay API; absent for `/v1/graphql`
 * @param cipher encrypts ids and cursors; `null` without a key, in which case values that need one are refused
 * @param keeps which types are cached
 * @param transient returns the definitions for a single traversal; absent: the same
 */
export function roleSchema(
  definition: RoleDefinition,
  variant: SchemaVariant = "frontend",
  relay?: RelayDefinition,
  cipher: RelayCipher | null = null,
  keeps: KeptTypes = "all",
  transient: () => RoleDefinitions = () => ({ definition, relay }),
): RoleSchema {
  const tables = relay ? relayTables(definition, cipher) : null;
  const entities = relay ? undefined : definition.entities;
  const types = new TypeRegistry({
    keeps,
    backendOnly: variant === "backend",
    relay: tables,
    entities: entities ?? [],
    remoteTypes,
  });
  const { query, subscription } = relay ?? definition;
  // Whether these exist is known only after their modules are loaded.
  const subscriptions = lazy(() => subscriptionType(types, subscription));
  const mutations = lazy(() => mutationType(types, definition, `mutation_${variant}`));
  return {
    role: definition.role,
    variant,
    api: relay ? "relay" : "graphql",
    types,
    query: queryType(types, query, entities),
    get subscription() {
      return subscriptions();
    },
    get mutation() {
      return mutations();
    },
    get tables() {
      return definition.tables;
    },
    transient: () => {
      const walked = transient();
      return roleSchema(walked.definition, variant, walked.relay, cipher, "latest");
    },
  };
}

function queryType(
  types: TypeRegistry,
  query: Roots<QueryRoot | NodeRoot>,
  entities: RoleDefinition["entities"],
): ObjectTypeDef {
  const name = "query_root";
  const field = (root: QueryRoot | NodeRoot, key: string): OutputField => {
    if (isRemoteRoot(root)) return remoteRootField(types, root, key, "query");
    return isActionRoot(root) ? actionField(types, root, key) : queryField(types, root);
  };
  const placeholderField = [noQueriesField, placeholder(types)] as const;
  const fields = rootFields(types, query, { namespaces: "query", field }, placeholderField);
  if (!entities) return { kind: "object", name, fields };
  const views = entities.map((view) => view());
  return { kind: "object", name, fields: lazy(() => sortedMap([...fields(), ...federationFields(types, views)])) };
}

function subscriptionType(types: TypeRegistry, subscription: Roots<SubscriptionRoot | NodeRoot>): ObjectTypeDef | null {
  const field = (root: SubscriptionRoot | NodeRoot, key: string): OutputField => {
    if (isRemoteRoot(root)) return remoteRootField(types, root, key, "subscription");
    return isActionRoot(root) ? actionField(types, root, key) : subscriptionField(types, root);
  };
  return rootType(types, subscription, { name: "subscription_root", namespaces: "subscription", field });
}

function placeholder(types: TypeRegistry): OutputField {
  return {
    type: () => types.scalar("String"),
    list: false,
    required: true,
    description: () => noQueries,
    args: noArguments,
    meta: { kind: "constant", value: noQueries, root: rootCall({ kind: "constant" }) },
  };
}

// Returns the tables of a role whose rows are nodes of the Relay schema, with their names in global ids.

function relayTables(definition: RoleDefinition, cipher: RelayCipher | null): RelayTables {
  const names = lazy(() => {
    const named = new Map<TableView, { readonly schema: string; readonly table: string }>();
    for (const schemas of Object.values(definition.tables)) {
      for (const [schema, members] of Object.entries(schemas)) {
        for (const [table, view] of Object.entries(members)) named.set(view(), { schema, table });
      }
    }
    return named;
  });
  return {
    cipher,
    nodes: lazy(() => [...names().keys()].filter(isNode)),
    nameOf: (view) => {
      const name = names().get(view);
      invariant(name, `the tables of a role list ${view.table.displayName}`);
      return name;
    },
  };
}

// Fields of Apollo Federation in the query type of a subgraph.

type Named = readonly [string, OutputField];

/** Returns `_service`, and `_entities` if there are entities. */
function federationFields(types: TypeRegistry, views: readonly TableView[]): readonly Named[] {
  return views.length === 0 ? [serviceField(types)] : [entitiesField(types, views), serviceField(types)];
}

const required = { list: false, required: true, args: noArguments } as const;

function serviceField(types: TypeRegistry): Named {
  const sdl: OutputField = {
    ...required,
    type: () => types.scalar("String"),
    description: () => "SDL representation of schema",
    meta: { kind: "sdl" },
  };
  const type = () =>
    types.get<ObjectTypeDef>("_Service", () => ({
      kind: "object",
      name: "_Service",
      fields: () => new Map([["sdl", sdl]]),
    }));
  // A namespace, because its fields are resolved separately.
  return ["_service", { ...required, type, meta: { kind: "namespace", root: rootCall({ kind: "service" }) } }];
}

const anyType: ScalarTypeDef = {
  kind: "scalar",
  name: "_Any",
  description: "Scalar _Any",
  structure: representationStructure,
};

function entitiesField(types: TypeRegistry, views: readonly TableView[]): Named {
  const named = lazy(() => sortedMap(views.map((view) => [objectType(types, view).name, view])));
  const type = () =>
    types.get<AbstractTypeDef>("_Entity", () => ({
      kind: "union",
      name: "_Entity",
      description: "A union of all types that use the @key directive",
      fields: noFields,
      types: lazy(() => sortedMap([...named()].map(([name, view]) => [name, objectType(types, view)]))),
    }));
  const representations = queryArgument(() => anyType, undefined, { list: true, required: true });
  return [
    "_entities",
    {
      type,
      list: true,
      required: true,
      nullableItems: true,
      description: () => "query _Entity union",
      args: () => new Map([["representations", representations]]),
      meta: { kind: "entities", entities: named, root: rootCall({ kind: "entities" }) },
    },
  ];
}

const noFields = () => new Map<string, OutputField>();
