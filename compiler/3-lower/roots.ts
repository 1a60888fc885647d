/** Lowers the root fields of one role to the IR of its `root-fields.ts`. */
import { compareText } from "../../runtime/values/text-order.ts";
import { keyFields } from "../2-analyze/analyzed-table.ts";
import type { SubscriptionRootField } from "../catalog/model.ts";
import { dialectOf } from "../dialects/index.ts";
import { lowerActionRoots } from "./actions.ts";
import { lowerFunctionRoots, rowsRoot } from "./functions.ts";
import type { InNamespace, NamespaceIr, RoleIr, RootIr, SubscriptionRootIr, TableRef, WriteRootIr } from "./ir.ts";
import type { NativeRootInputs } from "./native-rows.ts";
import { lowerRemoteRoots } from "./remotes.ts";
import type { RoleInputs } from "./role-inputs.ts";
import type { RootInputs } from "./root-inputs.ts";
import { refTo } from "./table-names.ts";
import { isBackendOnly } from "./write-inputs.ts";

/** The permission behind each kind of mutation field. */
const permissions = {
  insert: "insert",
  insert_one: "insert",
  update: "update",
  update_by_pk: "update",
  update_many: "update",
  delete: "delete",
  delete_by_pk: "delete",
} as const;

export function writeRoots(inputs: RootInputs): WriteRootIr[] {
  const { source, table, rootFields, writes } = inputs;
  return (Object.keys(permissions) as (keyof typeof permissions)[]).flatMap((kind): WriteRootIr[] => {
    const permission = writes[permissions[kind]];
    if (permission === undefined || !isOffered(inputs, kind)) return [];
    const { name, comment } = rootFields[kind];
    return [
      {
        field: name,
        kind,
        table: refTo(source, table),
        backendOnly: isBackendOnly(permission),
        ...(comment === undefined ? {} : { description: comment }),
      },
    ];
  });
}

function isOffered(inputs: RootInputs, kind: keyof typeof permissions): boolean {
  switch (kind) {
    case "insert":
    case "update":
    case "delete":
      return true;
    case "insert_one":
      return inputs.readable;
    case "update_many":
      return !inputs.hideUpdateMany;
    case "update_by_pk":
    case "delete_by_pk":
      return isKeyReadable(inputs);
  }
}

/**
 * Returns true if the table has a primary key and the role may read all its columns. A role without permission is
 * `admin`.
 */
function isKeyReadable({ primaryKey, readable, select }: RootInputs): boolean {
  const fields = keyFields(primaryKey);
  if (!readable || fields === undefined) return false;
  return !select || fields.every((key) => select.columns.some(({ field }) => field === key));
}

/** Lowers a role, with its root fields in alphabetical order. */
export function lowerRole(inputs: RoleInputs): RoleIr {
  const { role, tables, functions, mutationFunctions, natives, remotes, actions, namespaces } = inputs;

  const query = [
    ...tables.flatMap(queryRoots),
    ...functions.flatMap((inputs) => lowerFunctionRoots(inputs, "query")),
    ...natives.map(nativeRoot),
  ];
  const subscription = [
    ...tables.flatMap(subscriptionRoots),
    ...functions.flatMap((inputs) => lowerFunctionRoots(inputs, "subscription")),
    ...natives.filter(({ kind }) => kind === "native_query").map(nativeRoot),
  ];
  const mutation = [...tables.flatMap(writeRoots), ...mutationFunctions.map(rowsRoot)];
  const external = (operation: "query" | "mutation" | "subscription") => [
    ...lowerRemoteRoots(remotes, operation),
    ...lowerActionRoots(actions, operation),
  ];
  return {
    role,
    query: byField([...inNamespaces(query, namespaces), ...external("query")]),
    subscription: byField([...inNamespaces(subscription, namespaces), ...external("subscription")]),
    mutation: byField([...inNamespaces(mutation, namespaces), ...external("mutation")]),
    hasTables: inputs.parts !== undefined || tables.length > 0,
    ...(inputs.parts ? { parts: inputs.parts } : {}),
    ...(inputs.isSubgraph
      ? { entities: tables.filter(isEntity).map(({ source, table }) => refTo(source, table)) }
      : {}),
  };
}

function nativeRoot({ kind, source, table, field, comment }: NativeRootInputs): RootIr {
  const description = comment ? { description: comment } : {};
  return { field, kind, table: refTo(source, table), ...description };
}

/**
 * Returns true if the role can serve rows of the table as entities. Gateways select them by key, which must be
 * readable.
 */
function isEntity(inputs: RootInputs): boolean {
  return inputs.isEntity && isKeyReadable(inputs) && dialectOf(inputs.kind).runtime.dialect.entities !== undefined;
}

/** Moves the fields of each source with a namespace into that namespace. */
export function inNamespaces<Root extends { readonly field: string; readonly table: TableRef }>(
  roots: readonly Root[],
  namespaces: RoleInputs["namespaces"],
): readonly InNamespace<Root>[] {
  const isNamed = ({ table }: Root): boolean => Object.hasOwn(namespaces, table.source);
  const inside = Object.entries(namespaces).flatMap(([source, field]): NamespaceIr<Root>[] => {
    const fields = byField(roots.filter(({ table }) => table.source === source));
    return fields.length === 0 ? [] : [{ field, kind: "namespace", source, fields }];
  });
  return byField([...roots.filter((root) => !isNamed(root)), ...inside]);
}

export function byField<T extends { readonly field: string }>(roots: readonly T[]): readonly T[] {
  return [...roots].sort((a, b) => compareText(a.field, b.field));
}

const kinds = {
  select: "select_many",
  select_by_pk: "select_by_pk",
  select_aggregate: "select_aggregate",
  select_group: "select_group",
} as const;

const selectKeys = Object.keys(kinds) as readonly (keyof typeof kinds)[];

export function queryRoots(inputs: RootInputs): RootIr[] {
  return selectKeys.flatMap((key) => (isPermitted(inputs, key, "query") ? tableRoot(inputs, key, kinds[key]) : []));
}

export function subscriptionRoots(inputs: RootInputs): SubscriptionRootIr[] {
  const roots = selectKeys.flatMap((key) =>
    isPermitted(inputs, key, "subscription") ? tableRoot(inputs, key, kinds[key]) : [],
  );
  if (!canStream(inputs) || !isPermitted(inputs, "select_stream", "subscription")) return roots;
  return [...roots, ...tableRoot(inputs, "select_stream", "select_stream")];
}

function tableRoot<K extends RootIr["kind"] | "select_stream">(
  { source, table, rootFields }: RootInputs,
  key: SubscriptionRootField | "select_group",
  kind: K,
) {
  const { name, comment } = rootFields[key];
  const description = comment === undefined ? {} : { description: comment };
  return [{ field: name, kind, table: refTo(source, table), ...description }];
}

/** Returns true if the role may read a cursor column. */
function canStream({ hideStreams, select }: RootInputs): boolean {
  return !hideStreams && (select === undefined || select.columns.length > 0);
}

/** Returns true if the role has a root field. A role without a permission is `admin`, which has all. */
function isPermitted(
  inputs: RootInputs,
  key: SubscriptionRootField | "select_group",
  operation: "query" | "subscription",
): boolean {
  const { readable, select, hideGroups } = inputs;
  if (!readable) return false;
  // Groups are aggregates, and lists of root fields contain them as such.
  if (!isListed(select, key === "select_group" ? "select_aggregate" : key, operation)) return false;
  switch (key) {
    case "select":
    case "select_stream":
      return true;
    case "select_aggregate":
      return select?.aggregations ?? true;
    case "select_group":
      return !hideGroups && (select === undefined || (select.aggregations && select.columns.length > 0));
    case "select_by_pk":
      return isKeyReadable(inputs);
  }
}

/** Returns true if a permission lists a root field or has no list. A role without a permission is `admin`. */
export function isListed(
  select: RootInputs["select"],
  key: SubscriptionRootField,
  operation: "query" | "subscription",
): boolean {
  const listed: readonly SubscriptionRootField[] | null | undefined =
    operation === "query" ? select?.queryRootFields : select?.subscriptionRootFields;
  return !listed || listed.includes(key);
}
