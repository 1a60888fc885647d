/** The root fields of one role (`graphql-api.md` 2.2, 2.3) → the IR of its `resolvers.ts`. */
import type { SelectRootField, SubscriptionRootField } from "../catalog/model.ts";
import { dialectOf } from "../dialects/index.ts";
import { lowerFunctionRoots, rowsRoot } from "./functions.ts";
import type { RoleInputs, RootInputs } from "./inputs.ts";
import type { RoleIr, RootIr, SubscriptionRootIr } from "./ir.ts";
import { refTo } from "./views.ts";
import { isKeyReadable, writeRoots } from "./write-roots.ts";

/** In alphabetical order of the fields. */
export function lowerRole({ role, tables, functions, mutationFunctions }: RoleInputs): RoleIr {
  return {
    role,
    query: byField([
      ...tables.flatMap(queryRoots),
      ...functions.flatMap((inputs) => lowerFunctionRoots(inputs, "query")),
    ]),
    subscription: byField([
      ...tables.flatMap(subscriptionRoots),
      ...functions.flatMap((inputs) => lowerFunctionRoots(inputs, "subscription")),
    ]),
    mutation: byField([...tables.flatMap(writeRoots), ...mutationFunctions.map(rowsRoot)]),
    tables: tables.map(({ source, table }) => refTo(source, table)),
  };
}

function byField<T extends { readonly field: string }>(roots: readonly T[]): readonly T[] {
  return [...roots].sort((a, b) => (a.field < b.field ? -1 : a.field > b.field ? 1 : 0));
}

const kinds = {
  select: "select_many",
  select_by_pk: "select_by_pk",
  select_aggregate: "select_aggregate",
} as const;

const selectKeys = Object.keys(kinds) as readonly SelectRootField[];

function queryRoots(inputs: RootInputs): RootIr[] {
  return selectKeys.flatMap((key) => (isPermitted(inputs, key, "query") ? tableRoot(inputs, key, kinds[key]) : []));
}

function subscriptionRoots(inputs: RootInputs): SubscriptionRootIr[] {
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
function canStream({ kind, hideStreams, select }: RootInputs): boolean {
  return (
    !hideStreams &&
    dialectOf(kind).runtime.dialect.stream !== null &&
    (select === undefined || select.columns.length > 0)
  );
}

/** Without a permission the role is `admin`, which sees everything. */
function isPermitted(inputs: RootInputs, key: SubscriptionRootField, operation: "query" | "subscription"): boolean {
  const { readable, select } = inputs;
  if (!readable) return false;
  const listed: readonly SubscriptionRootField[] | null | undefined =
    operation === "query" ? select?.queryRootFields : select?.subscriptionRootFields;
  if (listed && !listed.includes(key)) return false;
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
