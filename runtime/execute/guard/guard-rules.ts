/** The metadata's allow-list, limits and introspection options → what a Generation is guarded by. */
import { type AllowedCollection, AllowList } from "./allow-list.ts";
import type { ApiLimits } from "./api-limits.ts";
import { Guard } from "./guard.ts";

/** `roles`: collections for all roles, and for single ones; `global`: only the former, as elsewhere. */
export type AllowListScope = "roles" | "global";

/** The sections of the metadata that say so. */
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

/** @param scope `null`: the allow-list is switched off */
export function guardOf(catalog: GuardRules, scope: AllowListScope | null): Guard {
  return new Guard({
    allowList: scope === null ? null : new AllowList([...allowedCollections(catalog, scope)]),
    // Its shape was checked when it came in.
    limits: catalog.api_limits as ApiLimits,
    introspectionDisabledFor: catalog.graphql_schema_introspection.disabled_for_roles,
  });
}

function* allowedCollections(
  { allowlist, query_collections }: GuardRules,
  wanted: AllowListScope,
): Iterable<AllowedCollection> {
  for (const { collection, scope } of allowlist) {
    const queries = query_collections.find(({ name }) => name === collection)?.definition.queries ?? [];
    const texts = queries.map(({ query }) => query);
    if (scope.global) yield { roles: null, queries: texts };
    else if (wanted === "roles") yield { roles: scope.roles, queries: texts };
  }
}
