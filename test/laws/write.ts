/** Writes as plain data: the write permissions of a role, and the writes of a request. */
import type { Value } from "./column-types.ts";
import type { Column, Filter, Operand, Relationship, Table, Viewpoint } from "./model.ts";

/** A column that a permission sets. */
export interface Preset {
  readonly column: Column;
  readonly operand: Operand;
}

/** The permissions that a merged permission consists of; they have the same presets. */
interface Merged<T> {
  readonly parts?: readonly T[];
}

export interface InsertRule extends Merged<InsertRule> {
  /** Columns without presets. */
  readonly columns: readonly Column[];
  readonly presets: readonly Preset[];
  readonly check: Filter;
}

export interface UpdateRule extends Merged<UpdateRule> {
  readonly columns: readonly Column[];
  readonly presets: readonly Preset[];
  readonly filter: Filter;
  /** `undefined` if there is no check. For upserts, this differs from a condition that is always true. */
  readonly check: Filter | undefined;
}

export interface DeleteRule extends Merged<DeleteRule> {
  readonly filter: Filter;
}

/** Returns the permissions that a rule consists of. */
export const partsOf = <T extends Merged<T>>(rule: T): readonly T[] => rule.parts ?? [rule];

/** Returns the permissions of a rule that list all of these columns. */
export function partsFor<T extends Merged<T> & { readonly columns: readonly Column[] }>(
  rule: T,
  written: readonly string[],
): readonly T[] {
  return partsOf(rule).filter(({ columns }) => written.every((name) => columns.some((column) => column.name === name)));
}

export interface WriteRules {
  readonly insert?: InsertRule;
  readonly update?: UpdateRule;
  readonly delete?: DeleteRule;
}

/** The role that writes to a world. */
export interface Writer extends Viewpoint {
  /** By table; `undefined` for the admin, who may write everything. */
  readonly rules: ReadonlyMap<string, WriteRules> | undefined;
}

/** The selection on the written rows; `undefined` for none. */
export interface Returning {
  readonly columns: readonly Column[];
  readonly related: readonly RelatedRows[];
  /** The columns are also selected of the rows before and after the write. */
  readonly changes: boolean;
}

/** The keys of related rows. */
interface RelatedRows {
  readonly relationship: Relationship;
  readonly target: Table;
}

/** A row to insert, optionally with the row that it references and the rows that reference it, new or existing ones. */
export interface NewRow {
  readonly values: ReadonlyMap<string, Value>;
  readonly connected?: readonly ConnectedRows[];
  readonly object?: { readonly relationship: Relationship; readonly row: NewRow };
  readonly array?: { readonly relationship: Relationship; readonly rows: readonly NewRow[] };
}

/** Existing rows of a relationship that become related rows: one item for an object relationship. */
export interface ConnectedRows {
  readonly relationship: Relationship;
  readonly items: readonly {
    readonly where: Filter;
    /** Inserted if no row matches. */
    readonly created?: NewRow;
  }[];
}

export interface Conflict {
  /** Columns to update. If empty, existing rows stay unchanged. */
  readonly columns: readonly Column[];
  readonly where: Filter | undefined;
  /** Existing rows are returned unchanged. */
  readonly returned?: true;
}

/** The update of one column. */
export interface Change {
  readonly operator: string;
  readonly column: Column;
  readonly operand: Value;
}

export interface Update {
  readonly where: Filter;
  readonly changes: readonly Change[];
  readonly related?: readonly RelatedWrite[];
}

/** The writes of the rows of one relationship, with the rows of an update. Absent members are not requested. */
export interface RelatedWrite {
  readonly relationship: Relationship;
  readonly delete?: Filter;
  readonly disconnect?: Filter;
  /** One update of the related row for object relationships. */
  readonly updates?: readonly Update[];
  readonly set?: Filter;
  readonly connect?: Filter;
  /** Rows with the same columns. */
  readonly rows?: readonly NewRow[];
}

export type Write =
  | {
      readonly kind: "insert" | "insert_one";
      readonly table: Table;
      readonly rows: readonly NewRow[];
      readonly conflict: Conflict | undefined;
      readonly returning: Returning | undefined;
    }
  | (Update & { readonly kind: "update"; readonly table: Table; readonly returning: Returning | undefined })
  | {
      readonly kind: "update_many";
      readonly table: Table;
      readonly updates: readonly Update[];
      readonly returning: Returning | undefined;
    }
  | {
      readonly kind: "update_by_pk";
      readonly table: Table;
      readonly key: readonly Value[];
      readonly changes: readonly Change[];
      readonly related?: readonly RelatedWrite[];
      readonly returning: Returning;
    }
  | {
      readonly kind: "delete";
      readonly table: Table;
      readonly where: Filter;
      readonly returning: Returning | undefined;
    }
  | {
      readonly kind: "delete_by_pk";
      readonly table: Table;
      readonly key: readonly Value[];
      readonly returning: Returning;
    };

/** Returns the rules of the role. The admin may write everything, without conditions. */
export function rulesOf({ rules }: Writer, { name, columns }: Table): WriteRules {
  if (rules !== undefined) return rules.get(name) ?? {};
  const always: Filter = { kind: "and", items: [] };
  return {
    insert: { columns, presets: [], check: always },
    update: { columns, presets: [], filter: always, check: undefined },
    delete: { filter: always },
  };
}
