/** Generates writes of related rows for inserts and updates, which the permissions of a role allow. */
import type { Choices } from "./choices.ts";
import {
  columnOf,
  type Filter,
  type Relationship,
  readableColumns,
  type Table,
  tableOf,
  visibleRelationships,
} from "./model.ts";
import {
  type Change,
  type ConnectedRows,
  type InsertRule,
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
  /** A condition that mostly matches one row. */
  one(table: Table): Filter;
  changes(table: Table, determined: readonly string[]): readonly Change[];
  rows(table: Table, determined: readonly string[]): readonly NewRow[];
}

interface UpdateOptions {
  /** The update changes at most one row. */
  readonly single: boolean;
  readonly depth: number;
  /** Changes of the updated rows. */
  readonly changes: readonly Change[];
}

/** Returns writes of rows related to the rows of an update. */
export function randomRelated(
  choices: Choices,
  writer: Writer,
  table: Table,
  parts: RelatedParts,
  options: UpdateOptions,
): readonly RelatedWrite[] {
  // A role uses relationships only between tables that it may read.
  if (writer.select?.has(table.name) === false) return [];
  const possible = choices.shuffled(visibleRelationships(writer, table), choices.number(1, 2));
  let mayReference = true;
  return possible.flatMap((relationship) => {
    const target = tableOf(writer.world, relationship.target);
    // An object relationship determines its row by a key in the database.
    if (relationship.kind === "object" && !target.hasPrimaryKey) return [];
    const write =
      relationship.kind === "object"
        ? randomObjectWrite(choices, writer, { table, relationship, mayReference }, parts, options)
        : randomArrayWrite(choices, writer, relationship, parts, options);
    if (relationship.kind === "object" && (write.connect || write.delete)) mayReference = false;
    return Object.keys(write).length > 1 ? [write] : [];
  });
}

function randomObjectWrite(
  choices: Choices,
  writer: Writer,
  {
    table,
    relationship,
    mayReference,
  }: { readonly table: Table; readonly relationship: Relationship; readonly mayReference: boolean },
  parts: RelatedParts,
  options: UpdateOptions,
): RelatedWrite {
  const target = tableOf(writer.world, relationship.target);
  const { update, delete: remove } = rulesOf(writer, target);
  const changed = options.changes.map(({ column }) => column.name);
  const { update: own } = rulesOf(writer, table);
  const connects = mayReference && canReference(writer, own, relationship, changed);
  const locals = relationship.mapping.map(([local]) => local);
  const releases =
    relationship.foreignKeyOf === "this" &&
    own !== undefined &&
    maySet(own, locals) &&
    partsFor(own, [...changed, ...locals]).length > 0 &&
    locals.every((name) => !changed.includes(name) && columnOf(table, name).nullable);
  // The related row is updated by a key that a foreign key references.
  const updates = update !== undefined && relationship.foreignKeyOf === "this" && choices.chance(60);
  return {
    relationship,
    ...(mayReference && releases && remove && choices.chance(40) && { delete: parts.where(target) }),
    ...(connects && choices.chance(40) && { connect: parts.one(target) }),
    ...(updates && { updates: [randomUpdate(choices, writer, relationship, parts, options)] }),
  };
}

function randomArrayWrite(
  choices: Choices,
  writer: Writer,
  relationship: Relationship,
  parts: RelatedParts,
  options: UpdateOptions,
): RelatedWrite {
  const { single } = options;
  const target = tableOf(writer.world, relationship.target);
  const { insert, update, delete: remove } = rulesOf(writer, target);
  const joined = relationship.mapping.map(([, remote]) => remote);
  const where = (): Filter => parts.where(target);
  const change = () => randomUpdate(choices, writer, relationship, parts, options);
  const connects = update !== undefined && maySet(update, joined);
  const disconnects = connects && joined.every((name) => columnOf(target, name).nullable);
  return {
    relationship,
    ...(remove && choices.chance(35) && { delete: where() }),
    ...(disconnects && choices.chance(25) && { disconnect: where() }),
    ...(update && choices.chance(60) && { updates: choices.list(1, 2, change) }),
    ...(disconnects && single && choices.chance(30) && { set: where() }),
    ...(connects && single && choices.chance(30) && { connect: where() }),
    ...(insert && choices.chance(40) && { rows: parts.rows(target, joined) }),
  };
}

function randomUpdate(
  choices: Choices,
  writer: Writer,
  { kind, target: name, mapping }: Relationship,
  parts: RelatedParts,
  { single, depth }: UpdateOptions,
) {
  const target = tableOf(writer.world, name);
  const changes = parts.changes(
    target,
    mapping.map(([, remote]) => remote),
  );
  const options = { single: single && kind === "object", depth: depth - 1, changes };
  const isNested = depth > 0 && choices.chance(40);
  const related = isNested ? randomRelated(choices, writer, target, parts, options) : [];
  const where: Filter = kind === "array" ? parts.where(target) : { kind: "and", items: [] };
  return { where, changes, related };
}

/**
 * Returns existing rows that become related rows of an inserted row.
 * @param values given columns of the row, and columns whose values come from nested rows
 */
export function randomConnected(
  choices: Choices,
  writer: Writer,
  table: Table,
  parts: RelatedParts,
  values: { readonly given: readonly string[]; readonly copied: readonly string[] },
): readonly ConnectedRows[] {
  if (writer.select?.has(table.name) === false) return [];
  const chosen: string[] = [];
  return choices.shuffled(visibleRelationships(writer, table), choices.number(1, 2)).flatMap((relationship) => {
    const { kind, mapping } = relationship;
    const target = tableOf(writer.world, relationship.target);
    const { insert, update } = rulesOf(writer, target);
    const [locals, remotes] = [mapping.map(([local]) => local), mapping.map(([, remote]) => remote)];
    const create = (determined: readonly string[]): { readonly created?: NewRow } => {
      const [created] = insert && choices.chance(50) ? parts.rows(target, determined) : [];
      return created ? { created } : {};
    };
    if (kind === "array") {
      if (update === undefined || !maySet(update, remotes)) return [];
      const item = () => ({ where: choices.chance(50) ? parts.one(target) : parts.where(target), ...create(remotes) });
      const items = choices.list(1, 2, item);
      // Requests list rows that are only connected first.
      const sorted = [...items.filter(({ created }) => !created), ...items.filter(({ created }) => created)];
      return [{ relationship, items: sorted }];
    }
    const taken = [...values.given, ...values.copied, ...chosen];
    const given = [...values.given, ...chosen];
    const { insert: own } = rulesOf(writer, table);
    if (locals.some((name) => taken.includes(name)) || !canReference(writer, own, relationship, given)) return [];
    chosen.push(...locals);
    return [{ relationship, items: [{ where: parts.one(target), ...create([]) }] }];
  });
}

/**
 * Returns true if a request may choose the row that a row references.
 * @param rule permission that writes the referencing row
 * @param given further columns that the statement writes
 */
function canReference(
  writer: Writer,
  rule: InsertRule | UpdateRule | undefined,
  { kind, target: name, mapping }: Relationship,
  given: readonly string[],
): boolean {
  const target = tableOf(writer.world, name);
  const [locals, remotes] = [mapping.map(([local]) => local), mapping.map(([, remote]) => remote)];
  const readable = readableColumns(writer, target) ?? [];
  return (
    kind === "object" &&
    target.hasPrimaryKey &&
    remotes.every((remote) => readable.some((column) => column.name === remote)) &&
    rule !== undefined &&
    maySet(rule, locals) &&
    !locals.some((local) => given.includes(local)) &&
    partsFor(rule as UpdateRule, [...given, ...locals]).length > 0
  );
}

/** Returns true if one permission lists all of these columns, and none is preset. */
function maySet(rule: InsertRule | UpdateRule, names: readonly string[]): boolean {
  const permitted = partsFor(rule as UpdateRule, names).length > 0;
  return permitted && !rule.presets.some(({ column }) => names.includes(column.name));
}
