/** The metadata's allow-list, limits and introspection options → what a Generation is guarded by. */
import type { Catalog } from "../../compiler/catalog/model.ts";
import { type AllowedCollection, AllowList } from "../execute/guard/allow-list.ts";
import type { ApiLimits } from "../execute/guard/api-limits.ts";
import { Guard } from "../execute/guard/guard.ts";

/** `roles`: collections for all roles, and for single ones; `global`: only the former, as elsewhere. */
export type AllowListScope = "roles" | "global";

type Rules = Pick<Catalog, "allowlist" | "query_collections" | "api_limits" | "graphql_schema_introspection">;

/** @param scope `null`: the allow-list is switched off */
export function guardOf(catalog: Rules, scope: AllowListScope | null): Guard {
  return new Guard({
    allowList: scope === null ? null : new AllowList([...allowedCollections(catalog, scope)]),
    // Its shape was checked when it came in.
    limits: catalog.api_limits as ApiLimits,
    introspectionDisabledFor: catalog.graphql_schema_introspection.disabled_for_roles,
  });
}

function* allowedCollections(
  { allowlist, query_collections }: Rules,
  wanted: AllowListScope,
): Iterable<AllowedCollection> {
  for (const { collection, scope } of allowlist) {
    const queries = query_collections.find(({ name }) => name === collection)?.definition.queries ?? [];
    const texts = queries.map(({ query }) => query);
    if (scope.global) yield { roles: null, queries: texts };
    else if (wanted === "roles") yield { roles: scope.roles, queries: texts };
  }
}
