/** Emits `roles/<role>/root-fields.ts` and its parts: the root fields of one role. */

import type {
  ActionRootIr,
  ConnectionRootIr,
  ExternalRootIr,
  InNamespace,
  MutationRootIr,
  RemoteRootIr,
  RoleIr,
  RolePartIr,
  RoleParts,
  RoleTablesIr,
  SubscriptionRootIr,
  TableRef,
} from "../3-lower/ir.ts";
import { sameValue } from "../3-lower/same-value.ts";
import { stringLiteral } from "./escape.ts";
import { exportName } from "./identifiers.ts";
import { type Code, call, commented, group, object, thunk } from "./layout.ts";
import { ModuleBuilder, type ModuleText } from "./module-builder.ts";
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
import { member, memberOf, sourceExport } from "./sources.ts";

const functions = {
  select_many: "selectMany",
  select_by_pk: "selectByPk",
  select_aggregate: "selectAggregate",
  select_group: "selectGroups",
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

/** The root fields of a role; the name is empty for roles that the metadata does not name. */
type RoleRoots = Pick<RoleIr, "query" | "subscription" | "mutation"> & { readonly role: string };

export function emitRole(ir: RoleIr, slice: string): ModuleText {
  const { hasTables, entities, parts } = ir;
  const name = ir.role === null ? "roles that the metadata does not name" : `role ${ir.role}`;
  const module = new ModuleBuilder(rolePath(ir.role), { from: name, slice }, ["role"]);
  const define = module.support("defineRole");
  const roots = { ...ir, role: ir.role ?? "" };
  const { role } = roots;
  const viewCode = (table: TableRef): Code => thunk(module.import(viewPath(role, table), exportName(table.name)));
  const properties = [
    member("role", stringLiteral(role)),
    ...(parts ? partsCode(module, roots, parts) : rootsCode(module, roots)),
    ...(hasTables ? [member("tables", thunk(module.import(roleTablesPath(role), "tables")))] : []),
    ...(entities === undefined ? [] : [member("entities", group("[", entities.map(viewCode), "]"))]),
  ];
  module.export([`Root fields of ${name}.`], "role", call(define, object(properties)));
  return module.print();
}

function rootsCode(module: ModuleBuilder, roots: RoleRoots): Code[] {
  const { role, mutation } = roots;
  return [...selectCode(module, roots), ...(mutation.length === 0 ? [] : [mutationCode(module, role, mutation)])];
}

function mutationCode(
  module: ModuleBuilder,
  role: string,
  mutation: readonly (InNamespace<MutationRootIr> | ExternalRootIr)[],
): Code {
  return member("mutation", object(mutation.map((root) => rootCode(module, role, root))));
}

/**
 * Emits `query: inParts([["author", () => author.query]])`, with the fields that are in no part as the last argument.
 */
function partsCode(module: ModuleBuilder, { role, ...roots }: RoleRoots, parts: RoleParts): Code[] {
  return (["query", "subscription", "mutation"] as const).flatMap((root) => {
    const own: readonly AnyRootIr[] = roots[root];
    const operation = root === "mutation" ? "mutation" : "query";
    const firsts = parts[operation];
    if (root !== "query" && firsts.length + own.length === 0) return [];
    const items = firsts.map((first) => {
      const fields = module.import(rolePartPath(role, operation, first), "fields", exportName(first));
      return group("[", [stringLiteral(first), thunk(memberOf(fields, root))], "]");
    });
    const others = own.length === 0 ? [] : [object(own.map((each) => rootCode(module, role, each)))];
    return [member(root, call(module.support("inParts"), group("[", items, "]"), ...others))];
  });
}

/** Emits `roles/<role>/query/<first>.ts`, `roles/<role>/mutation/<first>.ts`. */
export function emitRolePart(ir: RolePartIr, slice: string): ModuleText {
  const { role, operation, first } = ir;
  const from = `role ${role}: fields of ${operation === "query" ? "queries" : "mutations"} from ${first} on`;
  const module = new ModuleBuilder(rolePartPath(role, operation, first), { from, slice }, ["fields"]);
  const define = module.support("rolePart");
  const properties = ir.operation === "query" ? selectCode(module, ir) : [mutationCode(module, role, ir.mutation)];
  module.export(
    [`Root fields of role ${role} from ${first} up to the next part.`],
    "fields",
    call(define, object(properties)),
  );
  return module.print();
}

/** Emits `roles/<role>/tables.ts`. */
export function emitRoleTables({ role, tables }: RoleTablesIr, slice: string): ModuleText {
  const module = new ModuleBuilder(roleTablesPath(role), { from: `role ${role}: tables`, slice }, ["tables"]);
  const type = module.supportType("TablesByName");
  module.export([`Tables on which role ${role} has a permission.`], "tables", tablesCode(module, role, tables), type);
  return module.print();
}

/** Returns `query` and `subscription`; fields that are equal in both are written once. */
function selectCode(module: ModuleBuilder, { role, query, subscription }: Omit<RoleRoots, "mutation">): Code[] {
  const code = (roots: readonly AnyRootIr[]) => roots.map((root) => rootCode(module, role, root));
  if (subscription.length === 0) return [member("query", object(code(query)))];
  const queryOnly = query.filter(isQueryOnly);
  if (queryOnly.length > 0) return sharedFieldsCode(module, { role, query, subscription }, queryOnly);
  const queries = new Map(query.map((root) => [root.field, root]));
  const own = subscription.filter((root) => !sameValue(root, queries.get(root.field)));
  if (subscription.length - own.length < query.length)
    return [member("query", object(code(query))), member("subscription", object(code(subscription)))];
  const name = module.local("query");
  module.declare(["Fields of queries and subscriptions."], name, object(code(query)));
  const shared = name === "query" ? name : member("query", name);
  return [shared, member("subscription", own.length === 0 ? name : object([`...${name}`, ...code(own)]))];
}

/** Returns `query` and `subscription` with their common fields in one constant, and their other fields in each. */
function sharedFieldsCode(
  module: ModuleBuilder,
  { role, query, subscription }: Omit<RoleRoots, "mutation">,
  queryOnly: readonly ExternalRootIr[],
): Code[] {
  const code = (roots: readonly AnyRootIr[]) => roots.map((root) => rootCode(module, role, root));
  const common = query.filter((root) => !isQueryOnly(root));
  const byField = new Map(common.map((root) => [root.field, root]));
  const own = subscription.filter((root) => !sameValue(root, byField.get(root.field)));
  if (common.length === 0 || subscription.length - own.length < common.length)
    return [member("query", object(code(query))), member("subscription", object(code(subscription)))];
  const name = module.local("fields");
  module.declare(["Fields of queries and subscriptions."], name, object(code(common)));
  return [
    member("query", object([`...${name}`, ...code(queryOnly)])),
    member("subscription", own.length === 0 ? name : object([`...${name}`, ...code(own)])),
  ];
}

function isRemote(root: { readonly kind: string }): root is RemoteRootIr {
  return root.kind === "remote" || root.kind === "remote_namespace";
}

/** Returns true for a field that subscriptions do not have, or have with another definition. */
function isQueryOnly(root: { readonly kind: string }): root is ExternalRootIr {
  return isRemote(root) || root.kind === "action";
}

function isAction(root: { readonly kind: string }): root is ActionRootIr {
  return root.kind === "action" || root.kind === "start_action" || root.kind === "action_result";
}

type AnyRootIr = InNamespace<SubscriptionRootIr> | InNamespace<MutationRootIr> | ExternalRootIr;

/** Emits `author: selectMany(() => author)`. */
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
  return member(field, call(module.support(functions[kind]), thunk(view), ...called, ...options));
}

/** Emits `hello: remoteField(() => greeter)`. */
function remoteCode(module: ModuleBuilder, role: string, { field, kind, remote, isOwn }: RemoteRootIr): Code {
  const path = isOwn ? remotePartPath(role, remote) : remoteSchemaPath(remote);
  const schema = module.import(path, "remote", exportName(remote));
  return member(field, call(module.support(functions[kind]), thunk(schema)));
}

/** Emits `place_order: callAction(() => place_order, { Order: () => Order })`, with a comment. */
function actionCode(
  module: ModuleBuilder,
  role: string,
  { field, kind, comment, outputs, joined = [] }: ActionRootIr,
): Code {
  const action = module.import(actionPath(field), "action", exportName(field));
  const rows = outputs.map((type) => {
    return member(type, thunk(module.import(outputRowsPath(role, type), exportName(type))));
  });
  const joins = joined.map((type) => {
    return member(
      type,
      thunk(module.import(outputJoinsPath(role, type), "relationships", `${exportName(type)}Relationships`)),
    );
  });
  const args =
    rows.length + joins.length === 0 ? [] : joins.length === 0 ? [object(rows)] : [object(rows), object(joins)];
  return commented([comment], member(field, call(module.support(functions[kind]), thunk(action), ...args)));
}

/** Emits `{ shelf: { library: { loan: () => loan } } }`. */
function tablesCode(module: ModuleBuilder, role: string, tables: readonly TableRef[]): Code {
  return nested(tables, ["source", "schema", "name"], (table) => {
    return thunk(module.import(viewPath(role, table), exportName(table.name)));
  });
}

function nested(
  tables: readonly TableRef[],
  [key, ...rest]: readonly ("source" | "schema" | "name")[],
  leaf: (table: TableRef) => Code,
): Code {
  const [table] = tables;
  if (key === undefined) return table === undefined ? "" : leaf(table);
  const groups = new Map<string, TableRef[]>();
  for (const table of tables) {
    const siblings = groups.get(table[key]);
    if (siblings) siblings.push(table);
    else groups.set(table[key], [table]);
  }
  const members = [...groups].map(([name, inGroup]) => member(name, nested(inGroup, rest, leaf)));
  return group("{ ", members, " }");
}
