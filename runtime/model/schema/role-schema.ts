/**
 * The GraphQL schema of one role, derived from the views and root fields that its generated modules declare
 * (`graphql-api.md` 2). Nothing is derived before it is asked for, so that a role with hundreds of tables costs
 * what its requests use.
 */

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
import type { RelayCipher } from "../relay/cipher.ts";
import { actionField, isActionRoot } from "./action-types.ts";
import { federationFields } from "./federation-types.ts";
import { mutationType } from "./mutation-types.ts";
import { queryField, subscriptionField } from "./query-types.ts";
import { type KeptTypes, TypeRegistry } from "./registry.ts";
import { relayTables } from "./relay-tables.ts";
import { isRemoteRoot, remoteRootField } from "./remote-roots.ts";
import { remoteTypes } from "./remote-types.ts";
import { rootFields, rootType } from "./root-type.ts";
import { noArguments, type ObjectTypeDef, type OutputField } from "./types.ts";

/** The field that stands where there is nothing to ask: a type has to have one (`graphql-api.md` 2). */
export const noQueriesField = "no_queries_available";

const noQueries =
  "There are no queries available to the current role. Either there are no sources or remote schemas configured, " +
  "or the current role doesn't have the required permissions.";

/** `backend`: with what only requests with the admin secret may ask for. */
export type SchemaVariant = "frontend" | "backend";

/** The schema of `/v1/graphql`, or that of the Relay API (`graphql-api.md` 5.11). */
export type SchemaApi = "graphql" | "relay";

export interface RoleSchema {
  readonly role: string;
  readonly variant: SchemaVariant;
  readonly api: SchemaApi;
  readonly types: TypeRegistry;
  readonly query: ObjectTypeDef;
  /** `null` when there are none. */
  readonly subscription: ObjectTypeDef | null;
  /** `null` when there are none. */
  readonly mutation: ObjectTypeDef | null;
  readonly tables: TablesByName;
  /** The same, for who walks all of it once: of its types the latest are kept. */
  readonly unkept: () => RoleSchema;
}

/** What a role may ask. */
export interface RoleDefinitions {
  readonly definition: RoleDefinition;
  /** Of the Relay API; absent: this is for `/v1/graphql`. */
  readonly relay?: RelayDefinition | undefined;
}

/**
 * @param relay what the role may ask of the Relay API; absent: this is its schema for `/v1/graphql`
 * @param cipher what encrypts ids and cursors; `null`: there is no key, and what needs one is refused
 * @param keeps which types that were asked for are kept
 * @param unkept gives the same definitions to who walks all of them once; absent: these
 */
export function roleSchema(
  definition: RoleDefinition,
  variant: SchemaVariant = "frontend",
  relay?: RelayDefinition,
  cipher: RelayCipher | null = null,
  keeps: KeptTypes = "all",
  unkept: () => RoleDefinitions = () => ({ definition, relay }),
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
  // Whether there are any is known when their modules are loaded.
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
    unkept: () => {
      const walked = unkept();
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
  const alone = [noQueriesField, placeholder(types)] as const;
  const fields = rootFields(types, query, { namespaces: "query", field }, alone);
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
