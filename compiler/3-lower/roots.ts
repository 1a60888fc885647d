/** The root fields of one role (`graphql-api.md` 2.2, 2.3) → the IR of its `resolvers.ts`. */
import type { SelectRootField, SubscriptionRootField } from "../catalog/model.ts";
import { dialectOf } from "../dialects/index.ts";
import { lowerActionRoots } from "./actions.ts";
import { lowerFunctionRoots, rowsRoot } from "./functions.ts";
import type { InNamespace, NamespaceIr, RoleIr, RootIr, SubscriptionRootIr, TableRef } from "./ir.ts";
import type { NativeRootInputs } from "./native-rows.ts";
import { lowerRemoteRoots } from "./remotes.ts";
import type { RoleInputs } from "./role-inputs.ts";
import type { RootInputs } from "./root-inputs.ts";
import { refTo } from "./table-names.ts";
import { isKeyReadable, writeRoots } from "./write-roots.ts";

/** In alphabetical order of the fields. */
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
  const outside = (operation: "query" | "mutation" | "subscription") => [
    ...lowerRemoteRoots(remotes, operation),
    ...lowerActionRoots(actions, operation),
  ];
  return {
    role,
    query: byField([...inNamespaces(query, namespaces), ...outside("query")]),
    subscription: byField([...inNamespaces(subscription, namespaces), ...outside("subscription")]),
    mutation: byField([...inNamespaces(mutation, namespaces), ...outside("mutation")]),
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

/** A gateway asks for a row by its key, which the role has to see. */
function isEntity(inputs: RootInputs): boolean {
  return inputs.isEntity && isKeyReadable(inputs) && dialectOf(inputs.kind).runtime.dialect.entities !== undefined;
}

/** The fields of sources with a namespace go below it. */
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
  return [...roots].sort((a, b) => (a.field < b.field ? -1 : a.field > b.field ? 1 : 0));
}

const kinds = {
  select: "select_many",
  select_by_pk: "select_by_pk",
  select_aggregate: "select_aggregate",
} as const;

const selectKeys = Object.keys(kinds) as readonly SelectRootField[];

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
  key: SubscriptionRootField,
  kind: K,
) {
  if (rootFields === null) return [];
  const { name, comment } = rootFields[key];
  const description = comment === undefined ? {} : { description: comment };
  return [{ field: name, kind, table: refTo(source, table), ...description }];
}

/** A stream goes along a column that the role may read. */
function canStream({ hideStreams, select }: RootInputs): boolean {
  return !hideStreams && (select === undefined || select.columns.length > 0);
}

/** Without a permission the role is `admin`, which sees everything. */
function isPermitted(inputs: RootInputs, key: SubscriptionRootField, operation: "query" | "subscription"): boolean {
  const { readable, select } = inputs;
  if (!readable) return false;
  if (!isListed(select, key, operation)) return false;
  switch (key) {
    case "select":
    case "select_stream":
      return true;
    case "select_aggregate":
      return select?.aggregations ?? true;
    case "select_by_pk":
      return isKeyReadable(inputs);
  }
}

/** Whether a permission leaves a root field in; without one the role is `admin`. */
export function isListed(
  select: RootInputs["select"],
  key: SubscriptionRootField,
  operation: "query" | "subscription",
): boolean {
  const listed: readonly SubscriptionRootField[] | null | undefined =
    operation === "query" ? select?.queryRootFields : select?.subscriptionRootFields;
  return !listed || listed.includes(key);
}
