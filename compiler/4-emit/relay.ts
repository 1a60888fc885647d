/** Emits `roles/<role>/relay.ts`: the root fields of one role in the Relay API. */
import type { RelayIr, RelayRootIr } from "../3-lower/ir.ts";
import { sameValue } from "../3-lower/same-value.ts";
import { stringLiteral } from "./escape.ts";
import { type Code, call, group, object } from "./layout.ts";
import { ModuleBuilder, type ModuleText } from "./module-builder.ts";
import { relayPath, roleTablesPath } from "./paths.ts";
import { rootCode } from "./root-fields.ts";
import { member } from "./sources.ts";

export function emitRelay({ role, query, subscription }: RelayIr, slice: string): ModuleText {
  const name = role === null ? "roles that the metadata does not name" : `role ${role}`;
  const module = new ModuleBuilder(relayPath(role), { from: `${name}: Relay API`, slice }, ["relay"]);
  const define = module.support("defineRelay");
  const code = (roots: readonly RelayRootIr[]) => object(roots.map((root) => relayCode(module, role ?? "", root)));
  const properties = [];
  if (query.length > 0 && sameValue(query, subscription)) {
    const shared = module.local("roots");
    module.declare(["Fields of queries and subscriptions."], shared, code(query));
    properties.push(member("query", shared), member("subscription", shared));
  } else {
    properties.push(member("query", code(query)), member("subscription", code(subscription)));
  }
  module.export(
    [`Root fields of the Relay API for ${name}, except mutations.`],
    "relay",
    call(define, object(properties)),
  );
  return module.print();
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
