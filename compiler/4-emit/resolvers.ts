/** `roles/<role>/resolvers.ts`: the root fields of one role. */

import type {
  ActionRootIr,
  ConnectionRootIr,
  InNamespace,
  MutationRootIr,
  OutsideRootIr,
  RemoteRootIr,
  RoleIr,
  RolePartIr,
  RoleTablesIr,
  SubscriptionRootIr,
  TableRef,
} from "../3-lower/ir.ts";
import { sameValue } from "../3-lower/same-value.ts";
import { stringLiteral } from "./escape.ts";
import { exportName } from "./identifiers.ts";
import { type Code, call, commented, group, object, sequence } from "./layout.ts";
import { ModuleBuilder } from "./module-builder.ts";
import {
  actionPath,
  functionPath,
  outputJoinsPath,
  outputRowsPath,
  remotePartPath,
  remoteSchemaPath,
  rolePartPath,
  rolePath,
  roleTablesPath,
  sourcePath,
  viewPath,
} from "./paths.ts";
import { member, sourceExport } from "./sources.ts";

const functions = {
  select_many: "selectMany",
  select_by_pk: "selectByPk",
  select_aggregate: "selectAggregate",
  select_connection: "selectConnection",
  native_query: "selectNative",
  stored_procedure: "selectProcedure",
  select_stream: "streamRows",
  function: "selectFunction",
  function_aggregate: "selectFunctionAggregate",
  function_connection: "selectFunctionConnection",
  insert: "insertRows",
  insert_one: "insertRow",
  update: "updateRows",
  update_by_pk: "updateByPk",
  update_many: "updateMany",
  delete: "deleteRows",
  delete_by_pk: "deleteByPk",
  remote: "remoteField",
  remote_namespace: "remoteNamespace",
  action: "callAction",
  start_action: "startAction",
  action_result: "actionResult",
} as const;

export function emitRole(ir: RoleIr, slice: string): string {
  const { role, hasTables, entities } = ir;
  const name = role === null ? "a role that the metadata does not name" : `role ${role}`;
  const module = new ModuleBuilder(rolePath(role), { from: name, slice }, ["role"]);
  const define = module.support("defineRole");
  const viewCode = (table: TableRef): Code =>
    `() => ${module.import(viewPath(role ?? "", table), exportName(table.name))}`;
  const properties = [
    member("role", stringLiteral(role ?? "")),
    ...(ir.parts ? partsCode(module, ir, ir.parts) : rootsCode(module, ir)),
    ...(hasTables ? [member("tables", `() => ${module.import(roleTablesPath(role ?? ""), "tables")}`)] : []),
    ...(entities === undefined ? [] : [member("entities", group("[", entities.map(viewCode), "]"))]),
  ];
  module.declare([`What ${name} may ask.`], call(`export const role = ${define}`, object(properties)));
  return module.toString();
}

function rootsCode(module: ModuleBuilder, ir: RoleIr): Code[] {
  const { role, mutation } = ir;
  return [...selectCode(module, ir), ...(mutation.length === 0 ? [] : [mutationCode(module, role, mutation)])];
}

function mutationCode(
  module: ModuleBuilder,
  role: string | null,
  mutation: readonly (InNamespace<MutationRootIr> | OutsideRootIr)[],
): Code {
  return member("mutation", object(mutation.map((root) => rootCode(module, role ?? "", root))));
}

/** `query: inParts([["author", () => author.query]])`, with what stands in no part behind the parts. */
function partsCode(module: ModuleBuilder, { role, ...ir }: RoleIr, parts: NonNullable<RoleIr["parts"]>): Code[] {
  return (["query", "subscription", "mutation"] as const).flatMap((root) => {
    const own: readonly AnyRootIr[] = ir[root];
    const operation = root === "mutation" ? "mutation" : "query";
    const firsts = parts[operation];
    if (root !== "query" && firsts.length + own.length === 0) return [];
    const items = firsts.map((first) => {
      const fields = module.import(rolePartPath(role ?? "", operation, first), "fields", exportName(first));
      return group("[", [stringLiteral(first), `() => ${fields}.${root}`], "]");
    });
    const others = own.length === 0 ? [] : [object(own.map((each) => rootCode(module, role ?? "", each)))];
    return [member(root, call(module.support("inParts"), group("[", items, "]"), ...others))];
  });
}

/** `roles/<role>/(query)/<first>.ts`, `roles/<role>/(mutation)/<first>.ts` */
export function emitRolePart(ir: RolePartIr, slice: string): string {
  const { role, operation, first } = ir;
  const from = `role ${role}: fields of ${operation === "query" ? "queries" : "mutations"} from ${first} on`;
  const module = new ModuleBuilder(rolePartPath(role, operation, first), { from, slice }, ["fields"]);
  const define = module.support("rolePart");
  const properties = ir.operation === "query" ? selectCode(module, ir) : [mutationCode(module, role, ir.mutation)];
  module.declare(
    [`What role ${role} may ask, from ${first} up to the next part.`],
    call(`export const fields = ${define}`, object(properties)),
  );
  return module.toString();
}

/** `roles/<role>/tables.ts` */
export function emitRoleTables({ role, tables }: RoleTablesIr, slice: string): string {
  const module = new ModuleBuilder(roleTablesPath(role), { from: `role ${role}: tables`, slice }, ["tables"]);
  const type = module.supportType("TablesByName");
  module.declare(
    [`The tables that role ${role} has some permission on.`],
    sequence(`export const tables: ${type} = `, tablesCode(module, role, tables)),
  );
  return module.toString();
}

/** `query` and `subscription`; what both have is written once. */
function selectCode(
  module: ModuleBuilder,
  { role, query, subscription }: Pick<RoleIr, "role" | "query" | "subscription">,
): Code[] {
  const code = (roots: readonly AnyRootIr[]) => roots.map((root) => rootCode(module, role ?? "", root));
  if (subscription.length === 0) return [member("query", object(code(query)))];
  const outside = query.filter(isOfQueries);
  if (outside.length > 0) return withOutsideCode(module, { role, query, subscription }, outside);
  const queries = new Map(query.map((root) => [root.field, root]));
  const own = subscription.filter((root) => !sameValue(root, queries.get(root.field)));
  if (subscription.length - own.length < query.length)
    return [member("query", object(code(query))), member("subscription", object(code(subscription)))];
  const name = module.local("query");
  module.declare(["Fields of queries and of subscriptions."], sequence(`const ${name} = `, object(code(query))));
  const shared = name === "query" ? name : member("query", name);
  return [shared, member("subscription", own.length === 0 ? name : object([`...${name}`, ...code(own)]))];
}

/** What is not the same in both stands in each; the other fields are written once. */
function withOutsideCode(
  module: ModuleBuilder,
  { role, query, subscription }: Pick<RoleIr, "role" | "query" | "subscription">,
  outside: readonly OutsideRootIr[],
): Code[] {
  const code = (roots: readonly AnyRootIr[]) => roots.map((root) => rootCode(module, role ?? "", root));
  const others = query.filter((root) => !isOfQueries(root));
  const read = new Map(others.map((root) => [root.field, root]));
  const own = subscription.filter((root) => !sameValue(root, read.get(root.field)));
  if (others.length === 0 || subscription.length - own.length < others.length)
    return [member("query", object(code(query))), member("subscription", object(code(subscription)))];
  const name = module.local("fields");
  module.declare(["Fields of queries and of subscriptions."], sequence(`const ${name} = `, object(code(others))));
  return [
    member("query", object([`...${name}`, ...code(outside)])),
    member("subscription", own.length === 0 ? name : object([`...${name}`, ...code(own)])),
  ];
}

function isRemote(root: { readonly kind: string }): root is RemoteRootIr {
  return root.kind === "remote" || root.kind === "remote_namespace";
}

/** A field that subscriptions do not have, or not as queries have it. */
function isOfQueries(root: { readonly kind: string }): root is OutsideRootIr {
  return isRemote(root) || root.kind === "action";
}

function isAction(root: { readonly kind: string }): root is ActionRootIr {
  return root.kind === "action" || root.kind === "start_action" || root.kind === "action_result";
}

type AnyRootIr = InNamespace<SubscriptionRootIr> | InNamespace<MutationRootIr> | OutsideRootIr;

/** `author: selectMany(() => author)` */
export function rootCode(module: ModuleBuilder, role: string, root: AnyRootIr | InNamespace<ConnectionRootIr>): Code {
  if (isRemote(root)) return remoteCode(module, role, root);
  if (isAction(root)) return actionCode(module, role, root);
  if (root.kind === "namespace") {
    const source = module.import(sourcePath(root.source), sourceExport(root.source), "source");
    const fields = root.fields.map((inner) => rootCode(module, role, inner));
    return member(root.field, call(module.support("namespace"), source, object(fields)));
  }
  const { field, kind, table } = root;
  const description = "description" in root ? root.description : undefined;
  const view = module.import(viewPath(role, table), exportName(table.name));
  const called =
    "function" in root ? [module.import(functionPath(root.function), "tracked", exportName(root.function.name))] : [];
  const members = [
    ...(description === undefined ? [] : [member("description", stringLiteral(description))]),
    ...("backendOnly" in root && root.backendOnly ? [member("backendOnly", "true")] : []),
  ];
  const options = members.length === 0 ? [] : [object(members)];
  return member(field, call(module.support(functions[kind]), `() => ${view}`, ...called, ...options));
}

/** `hello: remoteField(() => greeter)` */
function remoteCode(module: ModuleBuilder, role: string, { field, kind, remote, isOwn }: RemoteRootIr): Code {
  const path = isOwn ? remotePartPath(role, remote) : remoteSchemaPath(remote);
  const schema = module.import(path, "remote", exportName(remote));
  return member(field, call(module.support(functions[kind]), `() => ${schema}`));
}

/** `place_order: callAction(() => place_order, { Order: () => Order })`, behind what it is */
function actionCode(
  module: ModuleBuilder,
  role: string,
  { field, kind, comment, outputs, joined = [] }: ActionRootIr,
): Code {
  const action = module.import(actionPath(field), "action", exportName(field));
  const rows = outputs.map((type) => {
    return member(type, `() => ${module.import(outputRowsPath(role, type), exportName(type))}`);
  });
  const joins = joined.map((type) => {
    return member(
      type,
      `() => ${module.import(outputJoinsPath(role, type), "relationships", `${exportName(type)}Relationships`)}`,
    );
  });
  const args =
    rows.length + joins.length === 0 ? [] : joins.length === 0 ? [object(rows)] : [object(rows), object(joins)];
  return commented([comment], member(field, call(module.support(functions[kind]), `() => ${action}`, ...args)));
}

/** `{ shelf: { library: { loan: () => loan } } }` */
function tablesCode(module: ModuleBuilder, role: string, tables: readonly TableRef[]): Code {
  return nested(tables, ["source", "schema", "name"], (table) => {
    return `() => ${module.import(viewPath(role, table), exportName(table.name))}`;
  });
}

function nested(
  tables: readonly TableRef[],
  [key, ...others]: readonly ("source" | "schema" | "name")[],
  leaf: (table: TableRef) => Code,
): Code {
  const [table] = tables;
  if (key === undefined) return table === undefined ? "" : leaf(table);
  const groups = new Map<string, TableRef[]>();
  for (const table of tables) {
    const inside = groups.get(table[key]);
    if (inside) inside.push(table);
    else groups.set(table[key], [table]);
  }
  const members = [...groups].map(([name, inside]) => member(name, nested(inside, others, leaf)));
  return group("{ ", members, " }");
}
