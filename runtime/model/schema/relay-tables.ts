/** The tables of a role whose rows are nodes of its Relay schema, and what global ids call them. */

import { invariant } from "../../values/errors.ts";
import { lazy } from "../../values/lazy.ts";
import type { RoleDefinition } from "../definitions/roots.ts";
import type { TableView } from "../definitions/view.ts";
import type { RelayCipher } from "../relay/cipher.ts";
import type { RelayTables } from "./registry.ts";
import { isNode } from "./relay-types.ts";

export function relayTables(definition: RoleDefinition, cipher: RelayCipher | null): RelayTables {
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
