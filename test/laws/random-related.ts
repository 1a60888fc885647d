/** Generates writes of related rows for updates, which the permissions of a role allow. */
import type { Choices } from "./choices.ts";
import { columnOf, type Filter, type Relationship, type Table, tableOf, visibleRelationships } from "./model.ts";
import {
  type Change,
  type NewRow,
  partsFor,
  type RelatedWrite,
  rulesOf,
  type UpdateRule,
  type Writer,
} from "./write.ts";

/** Generates the parts of writes. `determined` are columns whose values come from other rows. */
export interface RelatedParts {
  where(table: Table): Filter;
  changes(table: Table, determined: readonly string[]): readonly Change[];
  rows(table: Table, determined: readonly string[]): readonly NewRow[];
}

/**
 * Returns writes of rows related to the rows of an update.
 * @param options `single`: the update changes at most one row
 */
export function randomRelated(
  choices: Choices,
  writer: Writer,
  table: Table,
  parts: RelatedParts,
  options: { readonly single: boolean; readonly depth: number },
): readonly RelatedWrite[] {
  // A role uses relationships only between tables that it may read.
  if (writer.select?.has(table.name) === false) return [];
  const possible = choices.shuffled(visibleRelationships(writer, table), choices.number(1, 2));
  return possible.flatMap((relationship) => {
    const target = tableOf(writer.world, relationship.target);
    // An object relationship determines its row by a key in the database.
    if (relationship.kind === "object" && (relationship.foreignKeyOf !== "this" || !target.hasPrimaryKey)) return [];
    const write = randomWrite(choices, writer, relationship, parts, options);
    return Object.keys(write).length > 1 ? [write] : [];
  });
}

function randomWrite(
  choices: Choices,
  writer: Writer,
  relationship: Relationship,
  parts: RelatedParts,
  { single, depth }: { readonly single: boolean; readonly depth: number },
): RelatedWrite {
  const target = tableOf(writer.world, relationship.target);
  const { insert, update, delete: remove } = rulesOf(writer, target);
  const joined = relationship.mapping.map(([, remote]) => remote);
  const where = (): Filter => parts.where(target);
  const change = () => {
    const isNested = depth > 0 && choices.chance(40);
    const options = { single: single && relationship.kind === "object", depth: depth - 1 };
    const related = isNested ? randomRelated(choices, writer, target, parts, options) : [];
    const isArray = relationship.kind === "array";
    const filter: Filter = isArray ? where() : { kind: "and", items: [] };
    return { where: filter, changes: parts.changes(target, joined), related };
  };
  if (relationship.kind === "object") {
    return { relationship, ...(update && { updates: [change()] }) };
  }
  const connects = update !== undefined && maySet(update, joined);
  const disconnects = connects && joined.every((name) => columnOf(target, name).nullable);
  return {
    relationship,
    ...(remove && choices.chance(35) && { delete: where() }),
    ...(disconnects && choices.chance(25) && { disconnect: where() }),
    ...(update && choices.chance(60) && { updates: choices.list(1, 2, change) }),
    ...(connects && single && choices.chance(30) && { connect: where() }),
    ...(insert && choices.chance(40) && { rows: parts.rows(target, joined) }),
  };
}

/** Returns true if one permission lists all of these columns, and none is preset. */
function maySet(rule: UpdateRule, names: readonly string[]): boolean {
  return partsFor(rule, names).length > 0 && !rule.presets.some(({ column }) => names.includes(column.name));
}
