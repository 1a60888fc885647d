/** What a kind of database supplies to the shared planner: operators of a type, and the SQL that differs. */
import type { Column } from "./column.ts";
import type { JsonDocument } from "./json-document.ts";
import type { Operator } from "./operator.ts";
import type { ParameterSlot } from "./parameters.ts";
import type { ScalarType } from "./scalar-type.ts";
import type { Sql } from "./sql.ts";

export interface OrderDirection {
  readonly descending: boolean;
  readonly nulls: "first" | "last";
}

/** The parts of one SELECT over a single row source with its joins. */
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
  /** Key in the answer. */
  readonly key: string;
  readonly value: Sql;
  /** The value is text that holds JSON, where the database makes no difference. */
  readonly holdsJson?: true;
}

/** A member of a JSON object: a value, or an object of further members. */
export type JsonMember = JsonField | { readonly key: string; readonly members: readonly JsonMember[] };

export interface Dialect {
  readonly kind: string;
  /** Values of the enum `order_by`, with their descriptions, in the schema's order. */
  readonly orderings: ReadonlyMap<string, OrderDirection & { readonly description: string }>;
  readonly distinctOn: boolean;
  /** `count` takes a list of columns, `columns`; else one, `column`. */
  readonly countsSeveralColumns: boolean;
  /** How an insert says what becomes of rows that are there: by a constraint they violate, or by columns they share. */
  readonly upsert:
    | { readonly argument: "on_conflict" }
    | {
        readonly argument: "if_matched";
        /** Whether rows can be found by a column of this type. */
        readonly canMatch: (type: ScalarType) => boolean;
      };
  /** What the name of the comparison input of a type ends with: `comparison_exp`. */
  comparisonSuffix(type: ScalarType): string;
  /** The comparison operators of a type, in the schema's order. */
  operators(type: ScalarType): readonly Operator[];
  /** Aggregate functions by field name → SQL name, apart from `count`. */
  readonly aggregates: ReadonlyMap<string, AggregateFunction>;
  /** Those that filters can compare. */
  readonly aggregatePredicates: readonly AggregatePredicate[];
  quoteIdentifier(name: string): string;
  /** The rows in a JSON value, as they stand after FROM; those of a list have their place in `documentPlace`. */
  documentRows(value: Sql, document: JsonDocument): Sql;
  /** How a statement refers to the parameter of this number, counted from 1. */
  parameterReference(number: number): string;
  /** A condition that every row meets, and one that none does. */
  readonly always: Sql;
  readonly never: Sql;
  select(parts: SelectParts): Sql;
  /** Joins the rows of a SELECT that refers to what stands before it; a row without any stays, with NULLs. */
  lateralJoin(rows: Sql, alias: Sql): Sql;
  /** Whether such a row is there. */
  isRow(alias: Sql): Sql;
  /** A column that such a SELECT needs for that; absent: none. */
  readonly rowMarker?: Sql;
  /** The smaller of two numbers. */
  smaller(left: Sql, right: Sql): Sql;
  /** @param type of the value, where it is that of a column */
  orderItem(value: Sql, direction: OrderDirection, type?: ScalarType): Sql;
  /** A JSON object of the fields. */
  jsonObject(fields: readonly JsonField[]): Sql;
  /** The JSON list of one SELECT's rows: one object for each row, `[]` for none. */
  jsonRows(fields: readonly JsonField[], parts: Omit<SelectParts, "columns">): Sql;
  /** The JSON object of a SELECT's only row, or NULL. */
  jsonRow(fields: readonly JsonField[], parts: Omit<SelectParts, "columns">): Sql;
  /** A JSON expression where a condition holds, else NULL. */
  jsonWhere(condition: Sql, json: Sql): Sql;
  /** The JSON object of aggregates over rows. @param rows a SELECT @param alias what the aggregates call its row */
  jsonOfAggregates(members: readonly JsonMember[], rows: Sql, alias: Sql): Sql;
  /**
   * JSON list of a JSON expression over the rows of the enclosing SELECT, optionally of some rows only.
   * @param position what the list is ordered by; absent: the rows' own order, where `keepsOrder` is true
   */
  jsonAggregate(value: Sql, options: { readonly filter?: Sql | undefined; readonly position?: Sql | undefined }): Sql;
  /** Whether the rows of a derived table come in the order that it says. */
  readonly keepsOrder: boolean;
  /** A text in upper case, as far as it is ASCII. */
  upperCase(value: Sql): Sql;
  /** A constant string. */
  textLiteral(text: string): Sql;
  /** Turns a JSON expression into the text that the driver reads. */
  asText(json: Sql): Sql;
  /**
   * A list of `jsonRows` as an item of FROM, and its value. Distributed databases lose an error of a function whose rows
   * are read by a sub-select outside FROM. Absent: nothing is lost.
   */
  readonly fromRows?: (list: Sql, number: number) => { readonly item: Sql; readonly value: Sql };
  /** Row numbers in the order of the rows of a SELECT. */
  rowNumber(orderBy: readonly Sql[] | undefined): Sql;
  /** @throws EngineError `not-supported` where values of a type cannot be counted so */
  count(values: readonly CountedValue[], distinct: boolean): Sql;
  /** What stands in the place of an argument that is left out; absent: those behind it are given by name. */
  readonly defaultArgument?: Sql;
  /** An argument of a function that is given by its quoted name. */
  namedArgument(name: Sql, value: Sql): Sql;
  /** The part of a JSON column that the `path` argument names. */
  jsonAtPath(column: Sql, path: Sql): Sql;
  readonly jsonPathType: ScalarType;
  /** Type of `limit` and `offset`. */
  readonly bigintParameterType: ScalarType;
  readonly stream: StreamDialect;
  /**
   * One statement that answers a query of one row for many sets of values (`sql-generation.md` 12.1).
   * @param from what the columns are taken from, where they need it
   */
  multiplex(columns: readonly Sql[], from?: Sql): MultiplexedStatement;
  /** Absent: it has no stored procedures that answer rows. */
  readonly callProcedure?: (call: ProcedureCall) => ProcedureRows;
  readonly writes: WriteDialect;
  /** Absent: its tables are not in the Relay schema. */
  readonly relay?: RelayDialect;
  /** Absent: its tables are no entities of Apollo federation. */
  readonly entities?: EntityDialect;
  /** In the schema's order. */
  readonly updateOperators: readonly UpdateOperator[];
}

/** A value of each row, of which those that are not NULL are counted. */
export interface CountedValue {
  readonly value: Sql;
  readonly type: ScalarType;
}

/** A call of a stored procedure. */
export interface ProcedureCall {
  /** What nothing else in the statement is called. */
  readonly name: Sql;
  /** Quoted. */
  readonly procedure: string;
  /** What it answers, in its order; quoted names. */
  readonly columns: readonly { readonly sql: string; readonly type: string }[];
  /** @param variable the type of the variable that holds the value */
  readonly arguments: readonly { readonly name: string; readonly variable: string; readonly value: Sql }[];
}

export interface ProcedureRows {
  /** What has to run before, in order. */
  readonly before: readonly Sql[];
  /** Its rows, as they stand after FROM. */
  readonly rows: Sql;
}

export interface StreamDialect {
  /** The next rows of a stream. */
  select(parts: StreamParts): StreamSql;
  /** Whether values of a type come one after the other; absent: the database tells. */
  readonly hasOrder?: (type: ScalarType) => boolean;
  /**
   * A statement of one row with two texts: the last place that is committed, and a JSON list of the transactions that
   * were open at that moment or began since.
   * @throws EngineError `not-supported` where the database cannot tell of this column
   */
  frontier(place: Sql, from: Sql, column: Column): Sql;
  /** Texts that mean another value at another moment; absent: there are none. */
  readonly relative?: {
    isRelative(text: string): boolean;
    /** The value that an operand has now, as a text that means the same at any moment. */
    now(operand: Sql): Sql;
  };
}

/** The rows of a stream, from one place on. */
export interface StreamParts {
  /** Of each row. */
  readonly fields: readonly JsonField[];
  /** What rows are ordered by. */
  readonly place: Sql;
  readonly type: ScalarType;
  readonly descending: boolean;
  /** So many rows, and those that are at the same place as the last of them. */
  readonly limit: Sql | undefined;
  readonly from: Sql;
  readonly where: Sql | undefined;
}

/** Two columns of one row, and what they are taken from. */
export interface StreamSql {
  /** JSON text of the list of rows. */
  readonly rows: Sql;
  /** The place of the last row, as text that the database reads back without loss; NULL: there are no rows. */
  readonly place: Sql;
  readonly from: Sql;
}

/** A query of one row, written once for many sets of values. */
export interface MultiplexedStatement {
  /** Its rows: the number of the set, counted from 1, then the columns of the query. */
  readonly text: string;
  /** Of one set: the slots that the query has by itself, in the same order. */
  readonly slots: readonly ParameterSlot[];
  /** The values of the statement's own parameters. @param sets one list per set, each in the order of the slots */
  values(sets: readonly (readonly (string | null)[])[]): readonly string[];
}

/** What entities of Apollo federation need (`graphql-api.md` 11). */
export interface EntityDialect {
  /** Rows made of lists of texts, as they stand after FROM. */
  rowsOfTexts(lists: readonly { readonly name: Sql; readonly values: Sql }[], alias: Sql): Sql;
  /** The same, where each row has its number, from 0, in the column `i`. */
  numberedRowsOfTexts(lists: readonly { readonly name: Sql; readonly values: Sql }[], alias: Sql): Sql;
  /** A text of such a row as a value of this type, which a column compares by its own rules. */
  operand(text: Sql, type: ScalarType): Sql;
  /**
   * The same of a value of another source: the text is JSON, only strings stand without their quotes. NULL where the
   * type cannot hold the value, so that no row has it.
   * @param from the type that the value has there; `undefined` if it is not known
   */
  joinOperand(json: Sql, type: ScalarType, from: ScalarType | undefined): Sql;
  /** The number that a text holds. */
  position(text: Sql): Sql;
  /** Rows of the enclosing SELECT as one text, which `dialects/placed-texts.ts` takes apart. */
  placedTexts(position: Sql, json: Sql): Sql;
}

/** What the Relay API needs (`graphql-api.md` 5.11). */
export interface RelayDialect {
  /** The text of a JSON value in base64, without line breaks. */
  base64(json: Sql): Sql;
  /** JSON list of a number, texts, and the values of a key. */
  nodeId(version: number, names: readonly string[], key: readonly RelayValue[]): Sql;
  /** Whether the JSON of a value gives back the same value; others go into cursors and ids as text. */
  keepsValue(type: ScalarType): boolean;
  /** That text, and a text of a cursor as a value. */
  textOf(value: RelayValue): Sql;
  operand(parameter: Sql, type: ScalarType): Sql;
  /** A value as it can be compared. */
  compared(value: RelayValue): Sql;
  isNull(value: Sql): Sql;
  isNotNull(value: Sql): Sql;
  /** `(a, b) < (1, 2)` is a condition. */
  readonly comparesRows: boolean;
  /** A condition as a value. */
  truth(condition: Sql): Sql;
  /** What joins an expression to each row, so that naming it again does not evaluate it again. */
  evaluatedOnce(value: Sql, alias: Sql): { readonly join: Sql; readonly value: Sql };
  /** The text of the row with the least or greatest number, of the rows of the enclosing SELECT; NULL without any. */
  textAt(end: "first" | "last", text: Sql, number: Sql, filter?: Sql): Sql;
}

export interface RelayValue {
  readonly value: Sql;
  readonly type: ScalarType;
}

/** What an update does to a column. */
export interface UpdateOperator {
  readonly name: string;
  /** What the name of its input type ends with. */
  readonly type: string;
  /** Of the input type; the table is named as in messages. */
  readonly description: (table: string) => string;
  /** Of the argument; absent: that of the type. */
  readonly argumentDescription?: string;
  /** Whether it is for columns of this type. */
  readonly on: (type: ScalarType) => boolean;
  /** Type of the operand; absent: that of the column. */
  readonly operand?: ScalarType;
  readonly sql: (column: Sql, value: Sql) => Sql;
}

/** What statements that write need to know of their table. */
export interface WrittenTable {
  /** Quoted name with its schema, as it stands after FROM. */
  readonly sql: string;
  /** All columns, where statements that write name them. */
  readonly columns?: readonly Column[];
  readonly primaryKey?: readonly Column[];
  /** Its rows are those of its partitions. */
  readonly partitioned?: true;
}

/** What differs in statements that write. Every name is quoted. */
export interface WriteDialect {
  insert(parts: InsertParts): Sql;
  update(parts: UpdateParts): Sql;
  delete(parts: DeleteParts): Sql;
  /** The statement that writes, and what is read of the rows it wrote; fails where `check` is false for one of them. */
  written(parts: WrittenParts): Sql;
  /** A value that fails where the check of a row does not hold. */
  failUnless(check: Sql): Sql;
  /**
   * What the rows that a statement wrote are called, where the database keeps them in a table of its own: what is read
   * of them may then look at other tables, too, and sees the write.
   */
  readonly keptRows?: Sql;
  /** A whole row of a table as one value. */
  wholeRow(row: Sql, table: WrittenTable): Sql;
  /** The number of written rows. @param rows what they are called */
  countRows(rows: Sql): Sql;
  /** Whole rows, or values of a column, of all written rows as one text, in their order. @param rows what they are called */
  rowsAsText(row: Sql, rows: Sql, table: WrittenTable): Sql;
  valuesAsText(column: string, rows: Sql, table: WrittenTable): Sql;
  /** Rows that such texts hold, one after the other, as they stand after FROM. */
  rowsFromText(texts: readonly Sql[], table: WrittenTable): Sql;
  /**
   * In an upsert, the value of a column of the proposed row: the column's default where no row gives one.
   * @param column quoted
   * @param isGiven whether the insert lists the column
   */
  proposed(column: string, isGiven: boolean): Sql;
  /**
   * Whether a row that an upsert returns was not there before; `key`: columns of the constraint it is about.
   * Absent: all its rows are checked like inserted ones.
   */
  wasInserted?(row: Sql, table: WrittenTable, key: readonly KeyColumn[]): Sql;
  /** Several texts as the value of one parameter. */
  textList(texts: readonly (string | null)[]): string;
  /** The texts that `valuesAsText` gave. */
  listTexts(list: string): readonly (string | null)[];
}

/** A column of a constraint. */
export interface KeyColumn {
  /** Quoted name. */
  readonly sql: string;
  /** Absent: it has no name in the GraphQL schema. */
  readonly type?: ScalarType;
}

export interface InsertParts {
  readonly table: WrittenTable;
  /** What the row is called in `returning` and conditions. */
  readonly row: Sql;
  readonly columns: readonly {
    readonly name: string;
    /** @param row the row of `rows` */
    readonly value: (row: Sql) => Sql;
  }[];
  /** Lists of texts, one element for each row to insert; at least one list. */
  readonly rows: readonly { readonly name: string; readonly values: Sql }[];
  /** The session variables as JSON, set for triggers before the first row is looked at. */
  readonly user?: Sql | undefined;
  readonly onConflict?: {
    /** By name, or by its columns and expressions; none of them: whichever. */
    readonly constraint:
      | { readonly name: string }
      | {
          readonly columns: readonly string[];
          /** SQL of the condition of an index; absent: it has all rows. */
          readonly condition?: string | undefined;
        };
    /** Absent: the existing row stays as it is. */
    readonly update?: Pick<UpdateParts, "set" | "where">;
  };
  readonly returning: readonly Sql[];
  /** What is read of the written rows has to come in the order of these rows. */
  readonly inOrder: boolean;
}

export interface UpdateParts {
  readonly table: WrittenTable;
  readonly row: Sql;
  readonly user?: Sql | undefined;
  readonly set: readonly { readonly name: string; readonly value: Sql }[];
  readonly where?: Sql | undefined;
  readonly returning: readonly Sql[];
}

export interface DeleteParts {
  readonly table: WrittenTable;
  readonly row: Sql;
  readonly user?: Sql | undefined;
  readonly where?: Sql | undefined;
  readonly returning: readonly Sql[];
}

export interface WrittenParts {
  readonly table: WrittenTable;
  /** What the written rows are called in `returned` and `outputs`. */
  readonly name: Sql;
  readonly write: Sql;
  /** The statement takes the rows away. */
  readonly deletes: boolean;
  /** What each row has to meet: as a condition on `row`, and as a boolean that the statement returns. */
  readonly check?: { readonly row: Sql; readonly condition: Sql; readonly returned: Sql } | undefined;
  readonly outputs: readonly Sql[];
  /** As the insert was told. */
  readonly inOrder: boolean;
}

/** An aggregate that filters can compare (`graphql-api.md` 4.5). */
export interface AggregatePredicate {
  /** Of the field. */
  readonly name: string;
  /** The function, or what calls it with the values. */
  readonly sql: string | ((values: Sql) => Sql);
  /** `columns`: any number of any type; else one or two of the type that it gives. */
  readonly takes: "columns" | "column" | "pair";
  readonly type: ScalarType;
}

export interface AggregateFunction {
  readonly call: (value: Sql, type: ScalarType) => Sql;
  readonly on: "numeric" | "comparable";
  /** Type of the result: that of the column, or `Float`. */
  readonly result: "column" | "float";
  /** Type of the result in the database, for cursors of the Relay API. */
  readonly typeOf?: (column: ScalarType) => ScalarType;
}
