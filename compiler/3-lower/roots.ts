/** The root fields of one role (`graphql-api.md` 2.2, 2.3) → the IR of its `resolvers.ts`. */
import type { SelectRootField } from "../catalog/model.ts";
import { lowerFunctionMutation, lowerFunctionRoots } from "./functions.ts";
import type { RoleInputs, RootInputs } from "./inputs.ts";
import type { MutationRootIr, RoleIr, RootIr } from "./ir.ts";
import { refTo } from "./views.ts";
import { isKeyReadable, writeRoots } from "./write-roots.ts";

/** In alphabetical order of the fields. */
export function lowerRole({ role, tables, functions, mutationFunctions }: RoleInputs): RoleIr {
  const roots: RootIr[] = [...tables.flatMap(tableRoots), ...functions.flatMap(lowerFunctionRoots)];
  const writes: MutationRootIr[] = [...tables.flatMap(writeRoots), ...mutationFunctions.flatMap(lowerFunctionMutation)];
  const query = byField(roots);
  const mutation = byField(writes);
  return { role, query, mutation, tables: tables.map(({ source, table }) => refTo(source, table)) };
}

function byField<T extends { readonly field: string }>(roots: readonly T[]): readonly T[] {
  return [...roots].sort((a, b) => (a.field < b.field ? -1 : a.field > b.field ? 1 : 0));
}

const kinds = [
  ["select", "select_many"],
  ["select_by_pk", "select_by_pk"],
  ["select_aggregate", "select_aggregate"],
] as const;

function tableRoots(inputs: RootInputs): RootIr[] {
  const { source, table, rootFields, readable } = inputs;
  if (rootFields === null || !readable) return [];
  return kinds.flatMap(([key, kind]) => {
    if (!isOffered(inputs, key)) return [];
    const { name, comment } = rootFields[key];
    const description = comment === undefined ? {} : { description: comment };
    return [{ field: name, kind, table: refTo(source, table), ...description }];
  });
}

/** Without a permission the role is `admin`, which sees everything. */
function isOffered(inputs: RootInputs, key: SelectRootField): boolean {
  const { select } = inputs;
  if (select && select.queryRootFields !== null && !select.queryRootFields.includes(key)) return false;
  switch (key) {
    case "select":
      return true;
    case "select_aggregate":
      return select?.aggregations ?? true;
    case "select_by_pk":
      return isKeyReadable(inputs);
  }
}
