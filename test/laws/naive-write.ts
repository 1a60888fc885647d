/** Writes evaluated on plain rows, statement by statement, in plain TypeScript. */
import { keyOf, type Value } from "./column-types.ts";
import {
  type Column,
  columnOf,
  everything,
  type Filter,
  type Relationship,
  type Row,
  type Table,
  tableOf,
  type World,
} from "./model.ts";
import { holds, isVisible, relatedRows } from "./naive-filter.ts";
import { applyChange } from "./update-operators.ts";
import {
  type Change,
  type Conflict,
  type ConnectedRows,
  type NewRow,
  type Preset,
  partsFor,
  partsOf,
  type RelatedWrite,
  type Returning,
  rulesOf,
  type Update,
  type UpdateRule,
  type Write,
  type Writer,
} from "./write.ts";

/** A result. Lists of rows are unordered. */
export type Answer = Value | undefined;

export type Outcome =
  | { readonly kind: "done"; readonly world: World; readonly answers: readonly Answer[] }
  /** A failure with any of these codes, because the order in which a statement visits rows is unspecified. */
  | { readonly kind: "failed"; readonly codes: ReadonlySet<string> };

class Failure extends Error {
  readonly codes: ReadonlySet<string>;

  constructor(...codes: readonly string[]) {
    super(codes.join());
    this.codes = new Set(codes);
  }
}

const violated = "constraint-violation";
const refused = "permission-error";
/** The condition of an object relationship matches no row or several rows. */
const notOneRow = "not-supported";

/** Applies the writes of one request, in one transaction. */
export function writeNaively(writer: Writer, writes: readonly Write[]): Outcome {
  let { world } = writer;
  try {
    const answers = writes.map((write) => {
      const run = new Run({ ...writer, world });
      const answer = run.write(write);
      world = run.world;
      return answer;
    });
    return { kind: "done", world, answers };
  } catch (error) {
    if (error instanceof Failure) return { kind: "failed", codes: error.codes };
    throw error;
  }
}

/** Runs the statements of one field. Each statement sees rows of earlier ones. */
class Run {
  #writer: Writer;
  /** Returned rows that were not inserted, with the row before as visible to the role. */
  readonly #changes = new Map<Row, { readonly old: Row | null; readonly isFound?: true }>();

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  get world(): World {
    return this.#writer.world;
  }

  write(write: Write): Answer {
    const { table, returning } = write;
    switch (write.kind) {
      case "insert":
      case "insert_one": {
        const { rows, count } = this.#insertRows(table, write.rows, write.conflict);
        if (write.kind === "insert_one") return this.#object(rows, returning);
        return this.#response(rows, count, returning);
      }
      case "update": {
        const { rows = [], count } = this.#updateLevel(table, write);
        return this.#response(rows, count, returning);
      }
      case "update_many": {
        const isEffective = write.updates.some(
          ({ changes, related = [] }) => related.length > 0 || this.#isEffective(table, changes),
        );
        if (!isEffective) return [];
        return write.updates.map((update) => {
          // Each update of the list has changes of its own.
          this.#changes.clear();
          const { rows = [], count } = this.#updateLevel(table, update);
          return this.#response(rows, count, returning) ?? null;
        });
      }
      case "update_by_pk": {
        const { rows } = this.#updateLevel(table, { ...write, where: keyFilter(table, write.key) });
        return rows === undefined ? {} : this.#object(rows, returning);
      }
      case "delete": {
        const rows = this.#delete(table, write.where);
        return this.#response(rows, rows.length, returning, "deleted");
      }
      case "delete_by_pk":
        return this.#object(this.#delete(table, keyFilter(table, write.key)), returning);
    }
  }

  /** Inserts rows. Adjacent rows with the same columns share a statement; a row with nested rows has its own. */
  #insertRows(
    table: Table,
    rows: readonly NewRow[],
    conflict: Conflict | undefined,
  ): { readonly rows: readonly Row[]; readonly count: number } {
    const [first] = rows;
    if (rows.length === 1 && first && (first.object || first.array)) return this.#insertNested(table, first);
    if (rows.some(({ connected }) => connected)) return this.#insertConnected(table, rows, []);
    const written = runsOf(rows).flatMap((run) =>
      this.#insert(
        table,
        run.map(({ values }) => values),
        conflict,
      ),
    );
    return { rows: written, count: written.filter((row) => this.#changes.get(row)?.isFound !== true).length };
  }

  /** Inserts the rows that the row references, the row, and the rows that reference it. */
  #insertNested(
    table: Table,
    { values, object, array, connected }: NewRow,
  ): { readonly rows: readonly Row[]; readonly count: number } {
    const own = new Map(values);
    let count = 0;
    if (object) {
      const { target, mapping } = object.relationship;
      const [referred = {}] = this.#insert(tableOf(this.world, target), [object.row.values], undefined);
      for (const [local, remote] of mapping) own.set(local, referred[remote] ?? null);
      count++;
    }
    const copiedHere = object?.relationship.mapping.map(([local]) => local);
    const written = this.#insertConnected(table, [{ values: own, ...(connected && { connected }) }], copiedHere);
    const [row = {}] = written.rows;
    count += written.count;
    if (array) {
      const { target, mapping } = array.relationship;
      const children = array.rows.map((child) => {
        return new Map([...child.values, ...mapping.map(([local, remote]) => [remote, row[local] ?? null] as const)]);
      });
      const copied = mapping.map(([, remote]) => remote);
      count += this.#insert(tableOf(this.world, target), children, undefined, copied).length;
    }
    return { rows: [row], count };
  }

  /** Finds the existing rows that rows reference, inserts the rows, and connects the rows that reference them. */
  #insertConnected(
    table: Table,
    rows: readonly NewRow[],
    copied: readonly string[] | undefined,
  ): { readonly rows: readonly Row[]; readonly count: number } {
    let count = 0;
    const complete = rows.map((row): NewRow => {
      const values = new Map(row.values);
      for (const each of connectedOf(row, "object")) {
        const { found, inserted } = this.#findOne(each);
        for (const [local, remote] of each.relationship.mapping) values.set(local, found[remote] ?? null);
        count += inserted;
      }
      return { ...row, values };
    });
    const insert = (run: readonly NewRow[]) =>
      this.#insert(
        table,
        run.map(({ values }) => values),
        undefined,
        copied,
      );
    const written = runsOf(complete).flatMap(insert);
    for (const [i, row] of rows.entries()) {
      for (const each of connectedOf(row, "array")) count += this.#connect(written[i] ?? {}, each);
    }
    return { rows: written, count: count + written.length };
  }

  /** Returns the only row that the role may read and that matches, or a new row. */
  #findOne({ relationship, items: [item] }: ConnectedRows): { readonly found: Row; readonly inserted: number } {
    const target = tableOf(this.world, relationship.target);
    const isFound = (row: Row): boolean =>
      isVisible(this.#writer, target, row) &&
      relationship.mapping.every(([, remote]) => (row[remote] ?? null) !== null) &&
      item !== undefined &&
      this.#holds(target, row, item.where, "visible");
    const [found, ...others] = (this.world.rows.get(target.name) ?? []).filter(isFound);
    if (others.length > 0) throw new Failure(notOneRow);
    if (found) return { found, inserted: 0 };
    if (item?.created === undefined) throw new Failure(notOneRow);
    const [inserted = {}] = this.#insert(target, [item.created.values], undefined);
    return { found: inserted, inserted: 1 };
  }

  /** Makes existing rows rows of a parent row. @returns the number of written rows */
  #connect(parent: Row, { relationship, items }: ConnectedRows): number {
    const target = tableOf(this.world, relationship.target);
    const hasKey = relationship.mapping.every(([local]) => (parent[local] ?? null) !== null);
    let count = 0;
    for (const { where, created } of items) {
      const connected = this.#join(
        target,
        relationship,
        where,
        (local) => parent[local] ?? null,
        () => hasKey,
      );
      count += connected;
      if (connected > 0 || created === undefined) continue;
      const copies = relationship.mapping.map(([local, remote]) => [remote, parent[local] ?? null] as const);
      const copied = copies.map(([remote]) => remote);
      count += this.#insert(target, [new Map([...created.values, ...copies])], undefined, copied).length;
    }
    return count;
  }

  /** Sets the joined columns of rows. @returns the number of rows */
  #join(
    target: Table,
    relationship: Relationship,
    where: Filter,
    value: (local: string) => Value,
    isMeant: (row: Row) => boolean,
  ): number {
    const changes = relationship.mapping.map(([local, remote]): Change => {
      return { operator: "_set", column: columnOf(target, remote), operand: value(local) };
    });
    return this.#update(target, { where, changes }, isMeant)?.length ?? 0;
  }

  /** Runs one insert statement. @param copied columns whose values come from other rows, which need no permission */
  #insert(
    table: Table,
    given: readonly ReadonlyMap<string, Value>[],
    conflict: Conflict | undefined,
    copied: readonly string[] = [],
  ): readonly Row[] {
    const [first] = given;
    if (first === undefined) return [];
    const { insert, update } = rulesOf(this.#writer, table);
    if (!insert) throw new Error(`no insert permission on ${table.name}`);
    const inserting = partsFor(
      insert,
      [...first.keys()].filter((name) => !copied.includes(name)),
    );
    const conflicting = (conflict?.columns ?? []).map(({ name }) => name);
    const updating = update ? partsFor(update, conflicting) : [];
    const before = this.world.rows.get(table.name) ?? [];
    const rows = [...before];
    const written = new Map<string, { readonly row: Row; readonly isNew: boolean }>();
    const found = new Map<string, Row>();
    for (const values of given) {
      const row: Record<string, Value> = Object.fromEntries(table.columns.map(({ name }) => [name, null]));
      for (const [name, value] of values) row[name] = value;
      for (const preset of insert.presets) row[preset.column.name] = presetValue(preset);
      if (!conflict?.returned) checkNulls(table, row);
      const key = keyText(table, row);
      const at = table.hasPrimaryKey ? rows.findIndex((other) => keyText(table, other) === key) : -1;
      const existing = rows[at];
      if (existing === undefined) {
        checkNulls(table, row);
        rows.push(row);
        written.set(table.hasPrimaryKey ? key : `${written.size}`, { row, isNew: true });
        continue;
      }
      if (!conflict) throw new Failure(violated);
      if (conflict.returned && !written.has(key) && isVisible(this.#writer, table, existing))
        found.set(key, { ...existing });
      if (conflict.columns.length === 0) continue;
      // An upsert cannot change a row twice.
      if (written.has(key)) throw new Failure("unexpected");
      if (!updating.some(({ filter }) => this.#holds(table, existing, filter, "everything"))) continue;
      if (conflict.where && !this.#holds(table, existing, conflict.where, "visible")) continue;
      const changed: Record<string, Value> = { ...existing };
      for (const { name } of conflict.columns) changed[name] = row[name] ?? null;
      for (const preset of update?.presets ?? []) changed[preset.column.name] = presetValue(preset);
      checkNulls(table, changed);
      rows[at] = changed;
      this.#noteUpdate(table, existing, changed);
      written.set(key, { row: changed, isNew: false });
    }
    for (const { row, isNew } of written.values()) {
      const isInsertable = inserting.some(({ check }) => this.#holds(table, row, check, "everything"));
      // The statement does not know which filters admitted an existing row, so it must pass all checks.
      const isUpdatable = updating.every(({ check }) =>
        check ? this.#holds(table, row, check, "everything") : isInsertable,
      );
      if (!(isNew ? isInsertable : isUpdatable)) throw new Failure(refused);
    }
    this.#store(table, rows);
    for (const row of found.values()) this.#changes.set(row, { old: row, isFound: true });
    return [...[...written.values()].map(({ row }) => row), ...found.values()];
  }

  #noteUpdate(table: Table, before: Row, after: Row): void {
    this.#changes.set(after, { old: isVisible(this.#writer, table, before) ? before : null });
  }

  /** Notes rows without a change. A row that the update of the field has changed keeps that change. */
  #noteUnchanged(table: Table, rows: readonly Row[]): void {
    for (const row of rows) if (!this.#changes.has(row)) this.#noteUpdate(table, row, row);
  }

  /**
   * Runs an update, and then the writes of related rows. Without changes, rows with related rows do not count.
   * @returns no rows if there is nothing to write
   */
  #updateLevel(
    table: Table,
    update: Update,
    isMeant: (row: Row) => boolean = () => true,
  ): { readonly rows?: readonly Row[]; readonly count: number } {
    const { related = [] } = update;
    const referenced = related.filter((each) => each.relationship.kind === "object" && (each.connect || each.delete));
    const admitted = referenced.length === 0 ? [] : this.#admitted(table, update.where, isMeant);
    if (referenced.length > 0 && admitted.length === 0) return { rows: [], count: 0 };
    const removed = new Map(referenced.map((each) => [each, this.#removed(admitted, each)]));
    const references = referenced.flatMap((each): readonly AppliedChange[] => {
      const { relationship, connect } = each;
      const found = connect && this.#findOne({ relationship, items: [{ where: connect }] }).found;
      return relationship.mapping.map(([local, remote]) => {
        const operand = (row: Row): Value => {
          if (found) return found[remote] ?? null;
          const isRemoved = removed.get(each)?.some((target) => isJoined(row, target, relationship.mapping));
          return isRemoved ? null : (row[local] ?? null);
        };
        return { operator: "_set", column: columnOf(table, local), operand };
      });
    });
    const changed = this.#update(table, { ...update, changes: [...update.changes, ...references] }, isMeant);
    if (related.length === 0) return changed ? { rows: changed, count: changed.length } : { count: 0 };
    const rows = changed ?? this.#admitted(table, update.where, isMeant);
    if (!changed) this.#noteUnchanged(table, rows);
    const counts = related.map((each) => this.#writeRelated(rows, each, removed.get(each)));
    return { rows, count: (changed?.length ?? 0) + counts.reduce((sum, count) => sum + count, 0) };
  }

  /** Returns the rows that a request deletes, of those that the updated rows reference before the update. */
  #removed(parents: readonly Row[], { relationship, delete: where }: RelatedWrite): readonly Row[] {
    if (where === undefined) return [];
    const target = tableOf(this.world, relationship.target);
    const isRelated = (row: Row): boolean => parents.some((parent) => isJoined(parent, row, relationship.mapping));
    return this.#deletable(target, where, isRelated);
  }

  /** Returns the rows that an update could change. */
  #admitted(table: Table, where: Filter, isMeant: (row: Row) => boolean): readonly Row[] {
    const { update } = rulesOf(this.#writer, table);
    const admits = (row: Row): boolean =>
      update !== undefined && partsOf(update).some(({ filter }) => this.#holds(table, row, filter, "everything"));
    const rows = this.world.rows.get(table.name) ?? [];
    return rows.filter((row) => isMeant(row) && admits(row) && this.#holds(table, row, where, "visible"));
  }

  /** Writes rows that are related to rows of the level above, as they were after its update. */
  #writeRelated(
    parents: readonly Row[],
    { relationship, ...write }: RelatedWrite,
    removed: readonly Row[] | undefined,
  ): number {
    if (parents.length === 0) return 0;
    const target = tableOf(this.world, relationship.target);
    const isRelated = (row: Row): boolean => parents.some((parent) => isJoined(parent, row, relationship.mapping));
    let count = 0;
    if (removed && relationship.kind === "object") {
      const keyIn = (row: Row): string => keyOf(relationship.mapping.map(([, remote]) => row[remote] ?? null));
      const keys = new Set(removed.map(keyIn));
      const rows = this.world.rows.get(target.name) ?? [];
      const deleted = rows.filter((row) => keys.has(keyIn(row)));
      count += this.#deleteRows(target, deleted).length;
    } else if (write.delete) count += this.#delete(target, write.delete, isRelated).length;
    if (write.disconnect) count += this.#join(target, relationship, write.disconnect, () => null, isRelated);
    for (const update of write.updates ?? []) count += this.#updateLevel(target, update, isRelated).count;
    const [parent = {}] = parents;
    const { set, connect } = write;
    if (set) {
      const isOther = (row: Row): boolean => isRelated(row) && !this.#holds(target, row, set, "visible");
      count += this.#join(target, relationship, everything, () => null, isOther);
      const hasKey = relationship.mapping.every(([local]) => (parent[local] ?? null) !== null);
      const isNew = (row: Row): boolean => hasKey && !isRelated(row);
      count += this.#join(target, relationship, set, (local) => parent[local] ?? null, isNew);
    }
    if (connect && relationship.kind === "array") {
      count += this.#connect(parent, { relationship, items: [{ where: connect }] });
    }
    const rows = (write.rows ?? []).flatMap(({ values }) =>
      parents.map(
        (each) =>
          new Map([
            ...values,
            ...relationship.mapping.map(([local, remote]) => [remote, each[local] ?? null] as const),
          ]),
      ),
    );
    const copied = relationship.mapping.map(([, remote]) => remote);
    return count + this.#insert(target, rows, undefined, copied).length;
  }

  #isEffective(table: Table, changes: readonly AppliedChange[]): boolean {
    return changes.length > 0 || (rulesOf(this.#writer, table).update?.presets.length ?? 0) > 0;
  }

  /** Runs one update statement; returns `undefined` if there is nothing to change. */
  #update(
    table: Table,
    { where, changes }: { readonly where: Filter; readonly changes: readonly AppliedChange[] },
    isMeant: (row: Row) => boolean = () => true,
  ): readonly Row[] | undefined {
    const { update } = rulesOf(this.#writer, table);
    if (!update) throw new Error(`no update permission on ${table.name}`);
    if (!this.#isEffective(table, changes)) return undefined;
    const failures = new Set<string>();
    const attempt = <T>(work: () => T): T | undefined => {
      try {
        return work();
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        for (const code of error.codes) failures.add(code);
        return undefined;
      }
    };
    const parts = partsFor(
      update,
      changes.map(({ column }) => column.name),
    );
    /** The rows after the update, with the permissions that admitted them before. */
    const written = new Map<Row, readonly UpdateRule[]>();
    const rows = (this.world.rows.get(table.name) ?? []).map((row) => {
      const admitting = parts.filter(({ filter }) => this.#holds(table, row, filter, "everything"));
      if (admitting.length === 0 || !isMeant(row) || !this.#holds(table, row, where, "visible")) return row;
      const changed: Record<string, Value> = { ...row };
      attempt(() => {
        for (const { operator, column, operand } of changes) {
          const given = typeof operand === "function" ? operand(row) : operand;
          const value = applyChange(operator, column.type, row[column.name] ?? null, given);
          if (value === undefined) throw new Failure("data-exception");
          changed[column.name] = value;
        }
        for (const preset of update.presets) changed[preset.column.name] = presetValue(preset);
        checkNulls(table, changed);
      });
      this.#noteUpdate(table, row, changed);
      written.set(changed, admitting);
      return changed;
    });
    const keys = new Set(rows.map((row) => keyText(table, row)));
    if (table.hasPrimaryKey && keys.size < rows.length) failures.add(violated);
    if (failures.size > 0) throw new Failure(...failures);
    for (const [row, admitting] of written) {
      const passes = ({ check }: UpdateRule): boolean => !check || this.#holds(table, row, check, "everything");
      if (!admitting.some(passes)) throw new Failure(refused);
    }
    this.#store(table, rows);
    return [...written.keys()];
  }

  /** Runs one delete statement. */
  #delete(table: Table, where: Filter, isIncluded: (row: Row) => boolean = () => true): readonly Row[] {
    return this.#deleteRows(table, this.#deletable(table, where, isIncluded));
  }

  /** Returns the rows that the role may delete. */
  #deletable(table: Table, where: Filter, isIncluded: (row: Row) => boolean): readonly Row[] {
    const rule = rulesOf(this.#writer, table).delete;
    if (!rule) throw new Error(`no delete permission on ${table.name}`);
    const isMeant = (row: Row): boolean =>
      isIncluded(row) &&
      partsOf(rule).some(({ filter }) => this.#holds(table, row, filter, "everything")) &&
      this.#holds(table, row, where, "visible");
    return (this.world.rows.get(table.name) ?? []).filter(isMeant);
  }

  #deleteRows(table: Table, deleted: readonly Row[]): readonly Row[] {
    this.#noteUnchanged(table, deleted);
    const rows = this.world.rows.get(table.name) ?? [];
    this.#store(
      table,
      rows.filter((row) => !deleted.includes(row)),
    );
    return deleted;
  }

  #holds(table: Table, row: Row, filter: Filter, sight: "everything" | "visible"): boolean {
    return holds(this.#writer, table, row, filter, sight) === true;
  }

  /** Ends a statement. Foreign keys are checked last. */
  #store(table: Table, rows: readonly Row[]): void {
    const world: World = { ...this.world, rows: new Map([...this.world.rows, [table.name, rows]]) };
    if (!areReferencesKept(world)) throw new Failure(violated);
    this.#writer = { ...this.#writer, world };
  }

  #response(
    rows: readonly Row[],
    count: number,
    returning: Returning | undefined,
    after: "deleted" | "kept" = "kept",
  ): Answer {
    const read = returning && { returning: rows.map((row) => this.#read(row, returning)) };
    if (!returning?.changes) return { affected_rows: count, ...read };
    const own = (row: Row | null): Value => row && this.#read(row, { ...returning, related: [] });
    const changes = rows.map((row) => {
      const change = this.#changes.get(row);
      return { inserted: change === undefined, old: own(change?.old ?? null), new: own(after === "kept" ? row : null) };
    });
    return { affected_rows: count, ...read, changes };
  }

  #object([row]: readonly Row[], returning: Returning | undefined): Answer {
    return row && returning ? this.#read(row, returning) : null;
  }

  #read(row: Row, { columns, related }: Returning): { readonly [key: string]: Value } {
    const values = columns.map(({ name }) => [name, row[name] ?? null] as const);
    const others = related.map(({ relationship, target }): readonly [string, Value] => {
      const found = relatedRows(this.#writer, row, relationship)
        .filter((other) => isVisible(this.#writer, target, other))
        .map((other) => Object.fromEntries(target.key.map(({ name }) => [name, other[name] ?? null])));
      return [relationship.name, relationship.kind === "object" ? (found[0] ?? null) : found];
    });
    return Object.fromEntries([...values, ...others]);
  }
}

/** A change whose value may depend on the row. */
type AppliedChange = Omit<Change, "operand"> & { readonly operand: Value | ((row: Row) => Value) };

/** Groups rows into statements: adjacent rows with the same columns. A row that other rows will reference is alone. */
function runsOf(rows: readonly NewRow[]): readonly (readonly NewRow[])[] {
  const runs: NewRow[][] = [];
  const keys = (row: NewRow): string => {
    const chosen = connectedOf(row, "object").flatMap(({ relationship: { mapping } }) =>
      mapping.map(([local]) => local),
    );
    return JSON.stringify([[...row.values.keys()].sort(), chosen.sort()]);
  };
  let last: string | undefined;
  for (const row of rows) {
    const isAlone = connectedOf(row, "array").length > 0;
    if (!isAlone && keys(row) === last) runs.at(-1)?.push(row);
    else runs.push([row]);
    last = isAlone ? undefined : keys(row);
  }
  return runs;
}

const connectedOf = ({ connected = [] }: NewRow, kind: Relationship["kind"]): readonly ConnectedRows[] =>
  connected.filter(({ relationship }) => relationship.kind === kind);

/** Returns true if two rows have equal values in the joined columns; NULL equals nothing. */
function isJoined(parent: Row, row: Row, mapping: Relationship["mapping"]): boolean {
  return mapping.every(([local, remote]) => {
    const value = parent[local] ?? null;
    return value !== null && keyOf(value) === keyOf(row[remote] ?? null);
  });
}

function presetValue({ operand }: Preset): Value {
  return operand.value as Value;
}

function checkNulls({ columns }: Table, row: Row): void {
  if (columns.some(({ name, nullable }) => !nullable && row[name] === null)) throw new Failure(violated);
}

function keyText({ key }: Table, row: Row): string {
  return JSON.stringify(key.map(({ name }) => keyOf(row[name] ?? null)));
}

function keyFilter({ key }: Table, values: readonly Value[]): Filter {
  const items = key.map((column: Column, i): Filter => {
    const operand = { kind: "value", value: values[i] ?? null } as const;
    return { kind: "column", column, tests: [{ operator: "_eq", operand }] };
  });
  return { kind: "and", items };
}

/** Returns whether all foreign keys hold; NULL references nothing. */
function areReferencesKept(world: World): boolean {
  return [...world.tables.values()].every(({ name, foreignKeys }) =>
    foreignKeys.every(({ columns, target, targetColumns }) =>
      (world.rows.get(name) ?? []).every((row) => {
        const values = columns.map((column) => row[column] ?? null);
        if (values.includes(null)) return true;
        const isReferred = (other: Row): boolean =>
          targetColumns.every((column, i) => keyOf(other[column] ?? null) === keyOf(values[i] ?? null));
        return (world.rows.get(target) ?? []).some(isReferred);
      }),
    ),
  );
}
