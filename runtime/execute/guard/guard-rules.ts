/** Builds the guard of a generation from the metadata's allow-list, limits and introspection options. */

import type { ApiLimits } from "./api-limits.ts";
import { type AllowedCollection, AllowList, Guard } from "./guard.ts";

/** `roles`: collections for all roles and for single roles; `global`: only collections for all roles. */
type AllowListScope = "roles" | "global";

/** The relevant sections of the metadata. */
export interface GuardRules {
  readonly allowlist: readonly {
    readonly collection: string;
    readonly scope: { readonly global: true } | { readonly global: false; readonly roles: readonly string[] };
  }[];
  readonly query_collections: readonly {
    readonly name: string;
    readonly definition: { readonly queries: readonly { readonly query: string }[] };
  }[];
  readonly api_limits: unknown;
  readonly graphql_schema_introspection: { readonly disabled_for_roles: readonly string[] };
}

export interface GuardSettings {
  /** The effective entries of the allow-list; `null` if it is disabled. */
  readonly allowList: AllowListScope | null;
  /** Default limits of the unauthorized role; `null` without such a role. */
  readonly unauthorized: { readonly role: string; readonly limits: ApiLimits } | null;
  /** Alternative prefix of session variables, in lower case (`--header-alias`). */
  readonly alias?: string | null;
}

interface GuardOptions {
  readonly headerAlias: string | null;
  readonly enableAllowlist: boolean;
  readonly allowlistScope: AllowListScope;
  readonly unauthorizedRole: string | null;
  readonly unauthorizedDepthLimit: number;
  readonly unauthorizedNodeLimit: number;
  readonly unauthorizedTimeLimitSeconds: number;
  readonly unauthorizedBatchLimit: number;
}

export function guardSettings(options: GuardOptions): GuardSettings {
  const { enableAllowlist, allowlistScope, unauthorizedRole: role } = options;
  const limits: ApiLimits = {
    ...limitFor("depth_limit", options.unauthorizedDepthLimit),
    ...limitFor("node_limit", options.unauthorizedNodeLimit),
    ...limitFor("time_limit", options.unauthorizedTimeLimitSeconds),
    ...limitFor("batch_limit", options.unauthorizedBatchLimit),
  };
  return {
    allowList: enableAllowlist ? allowlistScope : null,
    unauthorized: role === null ? null : { role, limits },
    alias: options.headerAlias,
  };
}

/** Returns the limit of an option, where 0 means no limit. */
function limitFor(name: "depth_limit" | "node_limit" | "time_limit" | "batch_limit", value: number): ApiLimits {
  return value === 0 ? {} : { [name]: { global: value } };
}

export function guardOf(catalog: GuardRules, { allowList: scope, unauthorized, alias }: GuardSettings): Guard {
  return new Guard({
    allowList: scope === null ? null : new AllowList([...allowedCollections(catalog, scope)]),
    defaults: unauthorized,
    ...(alias !== undefined && { alias }),
    // The shape was validated when the metadata was stored.
    limits: catalog.api_limits as ApiLimits,
    introspectionDisabledFor: catalog.graphql_schema_introspection.disabled_for_roles,
  });
}

function* allowedCollections(
  { allowlist, query_collections }: GuardRules,
  effective: AllowListScope,
): Iterable<AllowedCollection> {
  for (const { collection, scope } of allowlist) {
    const queries = query_collections.find(({ name }) => name === collection)?.definition.queries ?? [];
    const texts = queries.map(({ query }) => query);
    if (scope.global) yield { name: collection, roles: null, queries: texts };
    else if (effective === "roles") yield { name: collection, roles: scope.roles, queries: texts };
  }
}
