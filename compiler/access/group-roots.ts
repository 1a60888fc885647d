/**
 * Root fields with groups of rows. Groups reveal no more than aggregates with a filter, so they do not widen the access
 * of a role that has the aggregates of the same rows.
 */
import type { MemberAccess, SchemaAccess, TypeAccess } from "./model.ts";
import { namedType } from "./schema-reader.ts";

/**
 * Returns true for a field with groups if a root type has a field with the aggregates of the same rows.
 * @param types types of both fields
 */
export function followsFromAggregates(field: MemberAccess, root: TypeAccess | undefined, types: SchemaAccess): boolean {
  const groups = partsOf(field, types);
  if (groups?.key === undefined || root === undefined) return false;
  return Object.values(root.members).some((other) => {
    const found = partsOf(other, types);
    return found !== undefined && found.key === undefined && found.aggregate === groups.aggregate;
  });
}

/** Returns the named types of the members that groups and aggregates have. */
function partsOf({ type = "" }: MemberAccess, types: SchemaAccess) {
  const name = namedType(type);
  const { key, aggregate, nodes } = (Object.hasOwn(types, name) ? types[name]?.members : undefined) ?? {};
  if (aggregate?.type === undefined || nodes === undefined) return undefined;
  return { key: key?.type, aggregate: namedType(aggregate.type) };
}
