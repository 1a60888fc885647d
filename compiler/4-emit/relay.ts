/** `roles/<role>/relay.ts`: what one role may ask of the Relay API. */
import type { RelayIr, RelayRootIr } from "../3-lower/ir.ts";
import { sameValue } from "../3-lower/same-value.ts";
import { stringLiteral } from "./escape.ts";
import { type Code, call, group, object, sequence } from "./layout.ts";
import { ModuleBuilder } from "./module-builder.ts";
import { relayPath, roleTablesPath } from "./paths.ts";
import { rootCode } from "./resolvers.ts";
import { member } from "./sources.ts";

export function emitRelay({ role, query, subscription }: RelayIr, slice: string): string {
  const name = role === null ? "a role that the metadata does not name" : `role ${role}`;
  const module = new ModuleBuilder(relayPath(role), { from: `${name}: Relay API`, slice }, ["relay"]);
  const define = module.support("defineRelay");
  const code = (roots: readonly RelayRootIr[]) => object(roots.map((root) => relayCode(module, role ?? "", root)));
  const properties = [];
  if (query.length > 0 && sameValue(query, subscription)) {
    const shared = module.local("roots");
    module.declare(["Fields of queries and of subscriptions."], sequence(`const ${shared} = `, code(query)));
    properties.push(member("query", shared), member("subscription", shared));
  } else {
    properties.push(member("query", code(query)), member("subscription", code(subscription)));
  }
  module.declare(
    [`What ${name} may ask of the Relay API, besides its mutations.`],
    call(`export const relay = ${define}`, object(properties)),
  );
  return module.toString();
}

function relayCode(module: ModuleBuilder, role: string, root: RelayRootIr): Code {
  if (root.kind !== "node") return rootCode(module, role, root);
  const tables = module.import(roleTablesPath(role), "tables");
  const except = root.except.map(({ source, schema, name }) =>
    group("[", [source, schema, name].map(stringLiteral), "]"),
  );
  const options = except.length === 0 ? [] : [object([member("except", group("[", except, "]"))])];
  return member(root.field, call(module.support("selectNode"), tables, ...options));
}
