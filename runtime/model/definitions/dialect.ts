/** Interface between the shared planner and a database kind: operators of a type, and SQL that differs. */
import type { EngineError } from "../../values/errors.ts";
import type { ChangeDialect, ChangeParts, FindDialect, WriteKind } from "./changed-rows.ts";
import type { Column } from "./column.ts";
import type { Distance } from "./distance.ts";
import type { DistributedDialect, ShardKeys } from "./distributed-dialect.ts";
import type { GroupDialect } from "./group-dialect.ts";
import type { JsonDocument } from "./json-document.ts";
import type { Operator } from "./operator.ts";
import type { ParameterSlot } from "./parameters.ts";
import type { ScalarType } from "./scalar-type.ts";
import type { Sql } from "./sql.ts";
import type { WrittenTable } from "./written-table.ts";

export interface OrderDirection {
  readonly descending: boolean;
  readonly nulls: "first" | "last";
}

/** Parts of a SELECT over a single row source with its joins. */
export interface SelectParts {
  readonly columns: readonly Sql[];
  readonly from: Sql;
  readonly where?: Sql | undefined;
  readonly distinctOn?: readonly Sql[] | undefined;
  readonly orderBy?: readonly Sql[] | undefined;
  readonly limit?: Sql | undefined;
  readonly offset?: Sql | undefined;
}

export interface JsonField {
  /** Key in the response. */
  readonly key: string;
  readonly value: Sql;
  /** The value is text with JSON, in databases without a JSON type. */
  readonly holdsJson?: true;
}

/** A member of a JSON object: a value, or an object with further members. */
export type JsonMember = JsonField | { readonly key: string; readonly members: readonly JsonMember[] };

export interface Dialect {
  readonly kind: string;
  /** Values of the enum `order_by` with their descriptions, in schema order. */
  readonly orderings: ReadonlyMap<string, OrderDirection & { readonly description: string }>;
  /** The database has `select distinct on`; otherwise rows are numbered, and those with the number 1 selected. */
  readonly distinctOn: boolean;
  /** `select *` omits columns that the table hides, so statements list the columns they pass on. */
  readonly listsColumns?: true;
  /** `count` takes a list of `columns`; otherwise a single `column`. */
  readonly countsSeveralColumns: boolean;
  /** Form of upserts: rows conflict by a violated constraint, or by equal columns. */
  readonly upsert:
    | { readonly argument: "on_conflict" }
    | {
        readonly argument: "if_matched";
        /** Returns true if rows can be matched by a column of this type. */
        readonly canMatch: (type: ScalarType) => boolean;
      };
  /** Returns the suffix of the comparison input's name: `comparison_exp`. */
  comparisonSuffix(type: ScalarType): string;
  /** Returns the comparison operators of a type, in schema order. */
  operators(type: ScalarType): readonly Operator[];
  /** Returns the distances between values of a type, in schema order; none unless the type is a vector. */
  distances(type: ScalarType): readonly Distance[];
  /** Aggregate functions by field name, without `count`. */
  readonly aggregates: ReadonlyMap<string, AggregateFunction>;
  /** Aggregates that filters support. */
  readonly aggregatePredicates: readonly AggregatePredicate[];
  quoteIdentifier(name: string): string;
  /** Returns the rows in a JSON value, for use in FROM. Rows of a list have their index in `documentPlace`. */
  documentRows(value: Sql, document: JsonDocument): Sql;
  /**
   * Returns the reference to a parameter.
   * @param number counted from 1
   */
  parameterReference(number: number): string;
  /** Conditions that are true and false for every row. */
  readonly always: Sql;
  readonly never: Sql;
  select(parts: SelectParts): Sql;
  /** Joins the rows of a SELECT that refers to preceding items of FROM. A row without matches is kept, with NULLs. */
  lateralJoin(rows: Sql, alias: Sql): Sql;
  /** Returns the condition that a laterally joined row exists. */
  isRow(alias: Sql): Sql;
  /** Additional column that the SELECT needs for `isRow`; absent: none. */
  readonly rowMarker?: Sql;
  smaller(left: Sql, right: Sql): Sql;
  /**
   * Returns an item of ORDER BY.
   * @param type type of the value, if the value is a column
   */
  orderItem(value: Sql, direction: OrderDirection, type?: ScalarType): Sql;
  jsonObject(fields: readonly JsonField[]): Sql;
  /** Returns the rows of a SELECT as a JSON list of objects; `[]` without rows. */
  jsonRows(fields: readonly JsonField[], parts: Omit<SelectParts, "columns">): Sql;
  /** Returns the only row of a SELECT as a JSON object, or NULL. */
  jsonRow(fields: readonly JsonField[], parts: Omit<SelectParts, "columns">): Sql;
  /** Returns a JSON expression where a condition holds, else NULL. */
  jsonWhere(condition: Sql, json: Sql): Sql;
  /**
   * Returns aggregates over rows as a JSON object.
   * @param rows a SELECT
   * @param alias alias of its rows in the aggregates
   */
  jsonOfAggregates(members: readonly JsonMember[], rows: Sql, alias: Sql): Sql;
  /**
   * Aggregates a JSON expression over the rows of the enclosing SELECT to a list.
   * @param options `filter` selects rows; `position` orders the list. Without `position` the list has the order of the
   *   rows, where `keepsOrder` is true
   */
  jsonAggregate(value: Sql, options: { readonly filter?: Sql | undefined; readonly position?: Sql | undefined }): Sql;
  /** The rows of a derived table are returned in its ORDER BY. */
  readonly keepsOrder: boolean;
  /** Converts the ASCII letters of a text to upper case. */
  upperCase(value: Sql): Sql;
  textLiteral(text: string): Sql;
  /** Converts a JSON expression to the text that the driver reads. */
  asText(json: Sql): Sql;
  /**
   * Moves a list of `jsonRows` into FROM, and returns its value. Distributed databases lose errors of a function whose
   * rows are read by a sub-select outside FROM. Absent if no errors are lost.
   */
  readonly fromRows?: (list: Sql, number: number) => { readonly item: Sql; readonly value: Sql };
  /**
   * Numbers the rows of a SELECT in this order, within each group of equal values.
   * @throws EngineError `not-supported` if values of a type cannot be grouped
   */
  rowNumber(orderBy: readonly Sql[] | undefined, groups?: readonly CountedValue[]): Sql;
  /**
   * Returns the COUNT of these values.
   * @throws EngineError `not-supported` if values of a type cannot be counted in this form
   */
  count(values: readonly CountedValue[], distinct: boolean): Sql;
  /** SQL for an omitted argument; absent: the arguments after it are passed by name. */
  readonly defaultArgument?: Sql;
  /** Passes a function argument by its quoted name. */
  namedArgument(name: Sql, value: Sql): Sql;
  /** Returns the part of a JSON column selected by the `path` argument. */
  jsonAtPath(column: Sql, path: Sql): Sql;
  readonly jsonPathType: ScalarType;
  /** Type of `limit` and `offset`. */
  readonly bigintParameterType: ScalarType;
  readonly stream: StreamDialect;
  readonly groups: GroupDialect;
  /**
   * Builds a statement that executes a query with a single row for many sets of values.
   * @param from FROM item of the columns, if they need one
   */
  multiplex(columns: readonly Sql[], from?: Sql): MultiplexedStatement;
  /** Absent if stored procedures cannot return rows. */
  readonly callProcedure?: (call: ProcedureCall) => ProcedureRows;
  readonly writes: WriteDialect;
  /** Absent: the database is a single server. */
  readonly distributed?: DistributedDialect;
  /** Absent if its tables are not part of the Relay schema. */
  readonly relay?: RelayDialect;
  /** Absent if its tables cannot be entities of Apollo Federation. */
  readonly entities?: EntityDialect;
  /** In schema order. */
  readonly updateOperators: readonly UpdateOperator[];
}

/** A value of each row; NULLs are not counted, and form one group. */
export interface CountedValue {
  readonly value: Sql;
  readonly type: ScalarType;
}

export interface ProcedureCall {
  /** A name that is unique within the statement. */
  readonly name: Sql;
  /** Quoted. */
  readonly procedure: string;
  /** Its result columns in order, with quoted names. */
  readonly columns: readonly { readonly sql: string; readonly type: string }[];
  /** @param variable type of the variable that contains the value */
  readonly arguments: readonly { readonly name: string; readonly variable: string; readonly value: Sql }[];
}

export interface ProcedureRows {
  /** Statements to run first, in order. */
  readonly before: readonly Sql[];
  /** Its rows, for use in FROM. */
  readonly rows: Sql;
}

export interface StreamDialect {
  /** Selects the next rows of a stream. */
  select(parts: StreamParts): StreamSql;
  /** Returns true if values of a type are ordered; absent: the database reports it. */
  readonly hasOrder?: (type: ScalarType) => boolean;
  /**
   * True if positions contain the key of a row, so that a row with the value of a delivered row is delivered if it is
   * committed later with a greater key.
   */
  readonly ordersTiesByKey: boolean;
  /**
   * Returns a statement with one row of texts: the last committed position, and a JSON list of the transactions that
   * were open at that moment or have begun since; or the error `not-supported` if the database cannot determine this for
   * the column.
   * @param places the cursor column, and the columns of the key if `ordersTiesByKey`
   */
  highWaterMark(places: readonly Sql[], from: Sql, column: Column): Sql | EngineError;
  /** Texts whose value depends on the current time; absent: none. */
  readonly relative?: {
    isRelative(text: string): boolean;
    /** Returns the current value of an operand as a text that does not depend on time. */
    now(operand: Sql): Sql;
  };
}

/** The rows of a stream after a position. */
export interface StreamParts {
  readonly fields: readonly JsonField[];
  /** Value by which rows are ordered. */
  readonly place: Sql;
  readonly type: ScalarType;
  /** Columns of the key that order rows of equal value; empty if they are not ordered. */
  readonly keys: readonly Sql[];
  readonly descending: boolean;
  /** Number of rows; rows with the same position as the last row are added. */
  readonly limit: Sql | undefined;
  readonly from: Sql;
  readonly where: Sql | undefined;
}

/** Two columns of one row, with their FROM item. */
export interface StreamSql {
  /** The rows as JSON text of a list. */
  readonly rows: Sql;
  /**
   * Position of the last row: the value of its cursor column and those of its key, as texts that the database parses
   * without loss; NULL without rows.
   */
  readonly position: readonly Sql[];
  readonly from: Sql;
}

/** A query with a single row, for many sets of values. */
export interface MultiplexedStatement {
  /** Returns the index of the set, from 1, followed by the columns of the query. */
  readonly text: string;
  /** Slots of one set: the slots of the original query, in the same order. */
  readonly slots: readonly ParameterSlot[];
  /**
   * Returns the values of the statement's parameters.
   * @param sets one list for each set, in the order of the slots
   */
  values(sets: readonly (readonly (string | null)[])[]): readonly string[];
}

/** SQL for entities of Apollo Federation and for joins. */
export interface EntityDialect {
  /** Returns rows built from lists of texts, for use in FROM. */
  rowsOfTexts(lists: readonly { readonly name: Sql; readonly values: Sql }[], alias: Sql): Sql;
  /** Returns rows built from lists of texts, with their index, from 0, in the column `i`. */
  numberedRowsOfTexts(lists: readonly { readonly name: Sql; readonly values: Sql }[], alias: Sql): Sql;
  /** Converts a text of these rows to a value of this type, so that a column compares it by its own rules. */
  operand(text: Sql, type: ScalarType): Sql;
  /**
   * Converts the JSON of a value of another source; strings have no quotes. NULL if the type cannot represent the
   * value, so that no row matches.
   * @param from type of the value in the other source; `undefined` if it is not known
   */
  joinOperand(json: Sql, type: ScalarType, from: ScalarType | undefined): Sql;
  /** Converts a text to a number. */
  position(text: Sql): Sql;
  /** Aggregates the rows of the enclosing SELECT to one text, which `dialects/placed-texts.ts` parses. */
  placedTexts(position: Sql, json: Sql): Sql;
}

export interface RelayDialect {
  /** Encodes the text of a JSON value in base64, without line breaks. */
  base64(json: Sql): Sql;
  /** Returns a JSON list of a number, texts, and the values of a key. */
  nodeId(version: number, names: readonly string[], key: readonly RelayValue[]): Sql;
  /** Returns true if the JSON of a value converts back to the same value; values of other types are written as text. */
  keepsValue(type: ScalarType): boolean;
  /** Converts a value to the text in a cursor; `operand` converts it back. */
  textOf(value: RelayValue): Sql;
  operand(parameter: Sql, type: ScalarType): Sql;
  /** Returns a value in a form that can be compared. */
  compared(value: RelayValue): Sql;
  isNull(value: Sql): Sql;
  isNotNull(value: Sql): Sql;
  /** Supports row comparisons: `(a, b) < (1, 2)`. */
  readonly comparesRows: boolean;
  /** Converts a condition to a value. */
  truth(condition: Sql): Sql;
  /** Joins an expression to each row, so that it is evaluated only once. */
  evaluatedOnce(value: Sql, alias: Sql): { readonly join: Sql; readonly value: Sql };
  /**
   * Returns the text of the row with the smallest or largest number, among the rows of the enclosing SELECT; NULL
   * without rows.
   */
  textAt(end: "first" | "last", text: Sql, number: Sql, filter?: Sql): Sql;
}

export interface RelayValue {
  readonly value: Sql;
  readonly type: ScalarType;
}

export interface UpdateOperator {
  readonly name: string;
  /** Suffix of its input type's name. */
  readonly type: string;
  /** Description of the input type, with the name of the table. */
  readonly description: (table: string) => string;
  /** Description of the argument; absent: the description of the type. */
  readonly argumentDescription?: string;
  /** Returns true if the operator supports columns of this type. */
  readonly on: (type: ScalarType) => boolean;
  /** Type of the operand; absent: the type of the column. */
  readonly operand?: ScalarType;
  readonly sql: (column: Sql, value: Sql) => Sql;
}

/** SQL of write statements. All names are quoted. */
export interface WriteDialect {
  insert(parts: InsertParts): Sql;
  update(parts: UpdateParts): Sql;
  delete(parts: DeleteParts): Sql;
  /** Selects rows without changing them, and locks them until the transaction ends. */
  lock(parts: ReadParts): Sql;
  /**
   * Selects at most two rows, without locks.
   * @param parts `from`: FROM item with rows of the table; absent: the table
   */
  find(parts: ReadParts & { readonly from?: Sql }): Sql;
  /**
   * Combines the write statement with the outputs read from the written rows; fails if `check` is false for one of
   * them.
   */
  written(parts: WrittenParts): Sql;
  /**
   * Returns the condition, for the check of an updated row, that a condition on the row before the update was true.
   * @param index index in `before` of the update
   */
  heldBefore(row: Sql, index: number): Sql;
  /** Returns a value whose evaluation fails if the check of a row does not hold. */
  failUnless(check: Sql): Sql;
  /**
   * Name of the table in which the database keeps written rows. Outputs may then also read other tables, and see the
   * write.
   */
  readonly keptRows?: Sql;
  /** Returns a whole row of a table as one value. */
  wholeRow(row: Sql, table: WrittenTable): Sql;
  /**
   * Returns the number of written rows.
   * @param rows name of the written rows
   */
  countRows(rows: Sql): Sql;
  /**
   * Returns all written rows, or one of their columns, as one text, in order.
   * @param rows name of the written rows
   */
  rowsAsText(row: Sql, rows: Sql, table: WrittenTable, isGone?: boolean): Sql;
  valuesAsText(column: string, rows: Sql, table: WrittenTable): Sql;
  /**
   * Returns the rows in such texts, concatenated, for use in FROM.
   * @param options `isGone`: the rows were deleted; `shardKeys`: values of the column that determines their servers
   */
  rowsFromText(
    texts: readonly Sql[],
    table: WrittenTable,
    options?: { readonly isGone?: boolean; readonly shardKeys?: readonly ShardKeys[] | undefined },
  ): Sql;
  /**
   * Returns the RETURNING list of a statement, from which the outputs and the check are evaluated. Absent: RETURNING
   * accepts all expressions.
   */
  returning?(row: Sql, kind: WriteKind): readonly Sql[];
  /** False if the session variables are set by a statement of their own, even for a statement that runs alone. */
  readonly setsUser?: false;
  /**
   * Returns the proposed value of a column in an upsert: its default if no row provides a value.
   * @param column quoted
   * @param isGiven true if the insert lists the column
   */
  proposed(column: string, isGiven: boolean): Sql;
  /**
   * Returns the condition that a row returned by an upsert was inserted. Absent: all returned rows are checked like
   * inserted ones.
   * @param key columns of the conflicting constraint
   */
  wasInserted?(row: Sql, table: WrittenTable, key: readonly KeyColumn[]): Sql;
  /** Encodes several texts as the value of one parameter. */
  textList(texts: readonly (string | null)[]): string;
  /** Decodes a list written by `valuesAsText`. */
  listTexts(list: string): readonly (string | null)[];
  /** Absent if inserts cannot return existing rows. */
  readonly finds?: FindDialect;
  /** Absent if writes cannot return the rows before them. */
  readonly changes?: ChangeDialect;
}

export interface KeyColumn {
  /** Quoted name. */
  readonly sql: string;
  /** Absent if it has no name in the GraphQL schema. */
  readonly type?: ScalarType;
}

export interface InsertParts {
  readonly table: WrittenTable;
  /** Alias of the row in `returning` and conditions. */
  readonly row: Sql;
  readonly columns: readonly {
    readonly name: string;
    /** @param row the row of `rows` */
    readonly value: (row: Sql) => Sql;
  }[];
  /** Lists of texts with one element for each inserted row; at least one list. */
  readonly rows: readonly { readonly name: string; readonly values: Sql }[];
  /** FROM item of parent rows: the statement inserts all rows for each parent row. `columns` can use its alias. */
  readonly each?: Sql;
  /** Session variables as JSON, set for triggers before the first row is processed. */
  readonly user?: Sql | undefined;
  readonly onConflict?: {
    /** The constraint by name, or by its columns and expressions; without columns: any constraint. */
    readonly constraint:
      | { readonly name: string }
      | {
          readonly columns: readonly string[];
          /** SQL condition of a partial index; absent: the index covers all rows. */
          readonly condition?: string | undefined;
        };
    /** Absent: an existing row is not changed. */
    readonly update?: Pick<UpdateParts, "set" | "where">;
  };
  readonly returning: readonly Sql[];
  /** Outputs must be in the order of the inserted rows. */
  readonly inOrder: boolean;
  /** Set if changes are read; the table then has a primary key. */
  readonly changes?: ChangeParts | undefined;
}

export interface UpdateParts {
  readonly table: WrittenTable;
  readonly row: Sql;
  readonly user?: Sql | undefined;
  readonly set: readonly { readonly name: string; readonly value: Sql }[];
  readonly where?: Sql | undefined;
  readonly returning: readonly Sql[];
  /** Conditions on the rows before the update, for `heldBefore`; the table then has a primary key. */
  readonly before?: readonly Sql[];
  /** Set if changes are read; the table then has a primary key. */
  readonly changes?: ChangeParts | undefined;
}

export interface DeleteParts {
  readonly table: WrittenTable;
  readonly row: Sql;
  readonly user?: Sql | undefined;
  readonly where?: Sql | undefined;
  readonly returning: readonly Sql[];
  /** Set if changes are read; the table then has a primary key. */
  readonly changes?: ChangeParts | undefined;
}

/** Rows that are selected instead of written. */
interface ReadParts extends Omit<DeleteParts, "user"> {
  /** Outputs read lists of values. */
  readonly inOrder: boolean;
}

export interface WrittenParts {
  readonly table: WrittenTable;
  /** Name of the written rows in `returned` and `outputs`. */
  readonly name: Sql;
  readonly write: Sql;
  readonly kind: WriteKind;
  /** Check of each row: as a condition on `row`, and as a boolean returned by the statement. */
  readonly check?: { readonly row: Sql; readonly condition: Sql; readonly returned: Sql } | undefined;
  readonly outputs: readonly Sql[];
  /** `inOrder` of the insert. */
  readonly inOrder: boolean;
  /** Number of conditions in `before` of the update. */
  readonly before: number;
  /** `changes` of the statement. */
  readonly changes?: ChangeParts | undefined;
}

/** An aggregate that filters support. */
export interface AggregatePredicate {
  readonly name: string;
  /** Name of the function, or a call with the values. */
  readonly sql: string | ((values: Sql) => Sql);
  /** `columns`: any number of columns of any type; otherwise one or two columns of the result type. */
  readonly takes: "columns" | "column" | "pair";
  readonly type: ScalarType;
}

export interface AggregateFunction {
  readonly call: (value: Sql, type: ScalarType) => Sql;
  readonly on: "numeric" | "comparable";
  /** Type of the result: the type of the column, or `Float`. */
  readonly result: "column" | "float";
  /** Type of the result in the database, for cursors of the Relay API. */
  readonly typeOf?: (column: ScalarType) => ScalarType;
}
