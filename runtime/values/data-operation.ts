/** The decoded arguments of the data operations of `/v1/query` and `/v2/query`. */

export interface DataTable {
  readonly schema: string;
  readonly name: string;
  /** The name as shown in messages. */
  readonly displayName: string;
}

interface OfTable {
  readonly source: string;
  readonly table: DataTable;
}

export type JsonRow = Readonly<Record<string, unknown>>;

export interface DataInsert extends OfTable {
  readonly type: "insert";
  readonly objects: readonly JsonRow[];
  readonly on_conflict?: DataOnConflict;
  readonly returning?: readonly string[];
}

export interface DataOnConflict {
  readonly action: "ignore" | "update";
  readonly constraint?: string;
  readonly constraint_on?: readonly string[];
}

export interface DataUpdate extends OfTable {
  readonly type: "update";
  readonly where: JsonRow;
  readonly $set: JsonRow;
  readonly $inc: JsonRow;
  readonly $mul: JsonRow;
  readonly $default: readonly string[];
  readonly returning?: readonly string[];
}

/** Changes of single rows in one transaction. */
export interface DataUpdateRows extends OfTable {
  readonly type: "update_rows";
  readonly updates: readonly RowUpdate[];
  readonly returning?: readonly string[];
}

export interface RowUpdate {
  /** Condition that must match one row. */
  readonly where: JsonRow;
  readonly $set: JsonRow;
}

export interface DataDelete extends OfTable {
  readonly type: "delete";
  readonly where: JsonRow;
  readonly returning?: readonly string[];
}

/** A selection of columns and rows. */
export interface DataSelection {
  readonly columns: readonly DataColumn[];
  readonly where?: JsonRow;
  readonly order_by?: readonly DataOrder[];
  readonly limit?: number;
  readonly offset?: number;
}

/** A column, `*` and `*.*`, or related rows. */
export type DataColumn = string | (DataSelection & { readonly name: string; readonly alias?: string });

export interface DataOrder {
  /** The path of a column, which may lead through object relationships. */
  readonly column: string;
  readonly type?: "asc" | "desc";
  readonly nulls?: "first" | "last";
}

export interface DataSelect extends OfTable, DataSelection {
  readonly type: "select";
}

export interface DataCount extends OfTable {
  readonly type: "count";
  readonly where?: JsonRow;
  readonly distinct?: readonly string[];
}

export type DataOperation = DataInsert | DataUpdate | DataUpdateRows | DataDelete | DataSelect | DataCount;
