/** Interface between the compiler and a database kind; each folder beside this file is an implementation. */

import type { Dialect as RuntimeDialect } from "../../runtime/model/definitions/dialect.ts";
import type { EventRecorder } from "../../runtime/model/definitions/events/event-trigger.ts";
import { operatorName, type ScalarType } from "../../runtime/model/definitions/scalar-type.ts";
import type { Definitions } from "../../runtime/values/database-fact.ts";
import type { QualifiedName, SourceKind } from "../catalog/model.ts";
import type { NativeColumn, NativeQueryInput } from "../shape/native-query.ts";
import type { ReviewFacts } from "../shape/review-facts.ts";
import type { EnumValueShape, Shape, TableShape, TypeRef } from "../shape/shape.ts";
import type { TableDetails } from "../shape/table-details.ts";
import type { JsonType } from "./json-type.ts";
import type { RecorderPlan, RecordingRequest } from "./recorder.ts";

/** Runs one statement without parameters and returns its rows as text. Rejects with the database error. */
export type Query = (sql: string) => Promise<readonly (readonly (string | null)[])[]>;

/** Columns of an enum table with its values and their descriptions. */
export interface EnumColumns {
  readonly value: string;
  readonly comment: string | null;
}

/** A call of a function of `engine/support` with which generated modules declare a type. */
export interface ScalarCall {
  readonly function: string;
  readonly arguments: readonly (string | Readonly<Record<string, string>> | ScalarCall)[];
}

export function isScalarCall(argument: ScalarCall["arguments"][number]): argument is ScalarCall {
  return typeof argument === "object" && Array.isArray(argument.arguments);
}

/** Columns of two tables that a join compares. */
export interface JoinedColumns {
  readonly local: string;
  readonly remote: string;
  /** Equality operator in SQL; absent: `=`. */
  readonly operator?: string;
  /** Type to which both are cast; absent: no cast. */
  readonly cast?: string;
}

/**
 * Returns the join condition of two columns.
 * @param localType type of the column if known; likewise `remoteType`
 */
export function joinedColumns(
  local: string,
  remote: string,
  { scalarOf, scalarCall }: Pick<Dialect, "scalarOf" | "scalarCall">,
  localType: TypeRef | undefined,
  remoteType: TypeRef | undefined,
): JoinedColumns {
  if (localType === undefined || remoteType === undefined) return { local, remote };
  const [own, other] = [localType, remoteType].map((type) => scalarOf(scalarCall(type)));
  const operator = own && other ? operatorName("=", own, other) : "=";
  const cast = [own, other].find((type) => type?.comparedAs !== undefined)?.cast;
  return { local, remote, ...(operator !== "=" && { operator }), ...(cast !== undefined && { cast }) };
}

export interface ProcedureDialect {
  /**
   * Returns a type for variables and table columns that can store every value of this type; `undefined` if the type is
   * unknown.
   */
  declaredType(type: TypeRef): string | undefined;
  /** Returns true for a valid parameter name. */
  isArgumentName(name: string): boolean;
}

/** Rules for passing rows and session variables to functions. */
interface FunctionDialect {
  /** Functions take and return rows of a table's type; otherwise rows are mapped column by column. */
  readonly rowTypes: boolean;
  /** Returns true if an argument of this type can receive the session variables as JSON. */
  takesSession(type: TypeRef): boolean;
  /** The type required for session arguments, for messages. */
  readonly sessionType: string;
  /** Clause of a declaration with which a function runs with the rights of its caller. */
  readonly callerRights: string;
}

export interface IndexScan {
  /** Alias of the table in the statement. */
  readonly alias: string;
  readonly columns: readonly string[];
  /**
   * Returns the first columns of indexes with this name. A lookup without the first column reads the whole index. Empty:
   * any column selects a part of the index.
   */
  readonly firstColumns: (index: string) => readonly string[];
}

/** Reads plans of statements, which are never run. The methods need one read-only transaction. */
export interface IndexPlans {
  /** SQL of a value that is not known while a statement is planned, as text. */
  readonly unknownValue: string;
  /** Makes the planner use indexes wherever it can, until the end of the transaction. */
  prepare(query: Query): Promise<void>;
  /**
   * Returns true if all scans of a table of a statement look up values of one of the columns in an index; `undefined` if
   * the plan does not show it.
   */
  usesIndex(query: Query, statement: string, scan: IndexScan): Promise<boolean | undefined>;
  /** Returns the tables with fewer rows, by the database's estimate; tables without an estimate are left out. */
  readSmallTables(query: Query, maxRows: number): Promise<readonly (QualifiedName & { readonly rows: number })[]>;
}

export interface Dialect {
  readonly kind: SourceKind;
  /** Schema of unqualified table names. */
  readonly defaultSchema: string;
  readonly hasReplicas: boolean;
  /** Supports the naming convention `graphql-default`. */
  readonly hasGraphqlNaming: boolean;
  /**
   * Introspects the database, without the rows of enum tables. Only reads, and leaves the session unchanged.
   * @param known a previous shape, whose unchanged tables may be reused
   */
  introspect(query: Query, known?: Shape): Promise<Shape>;
  /**
   * Returns a text that changes whenever the result of `introspect` would, at a fraction of its cost. Absent if the
   * dialect does not support it.
   */
  fingerprint?(query: Query): Promise<string>;
  /** Reads details of one table that are not in its shape. */
  readTableDetails(query: Query, table: TableShape): Promise<TableDetails>;
  /** Reads hashes of SQL definitions in the database; `query` must run all statements in one transaction. */
  readDefinitions(query: Query): Promise<Definitions>;
  /** Reads the facts that only `advise` needs. */
  readReviewFacts(query: Query): Promise<ReviewFacts>;
  /** Shows which indexes the database uses. Absent if the dialect does not support it. */
  readonly indexPlans?: IndexPlans;
  /** The statement that creates an index requires its name. */
  readonly namedIndexes: boolean;
  /**
   * Returns the columns that values and comments of an enum would come from; `undefined` if the table's key is not
   * suitable.
   */
  enumColumns(table: TableShape): EnumColumns | undefined;
  /** Reads the rows of an enum table, ordered by value. */
  readEnumValues(query: Query, table: QualifiedName, columns: EnumColumns): Promise<readonly EnumValueShape[]>;
  /**
   * Returns the types of the model's columns in the result of a native query, without executing it. `query` must run
   * each statement in a separate transaction. Rejects with the database's error if it refuses the query.
   */
  checkNativeQuery(query: Query, input: NativeQueryInput): Promise<ReadonlyMap<string, NativeColumn>>;
  readonly functions: FunctionDialect;
  /** SQL type of columns with nested models in JSON. */
  readonly documentType: string;
  /** Returns the type of a member of a nested model's JSON in a column definition list. */
  memberType(type: TypeRef): string;
  /** Absent if stored procedures cannot return rows. */
  readonly procedures?: ProcedureDialect;
  /** The run-time dialect, and its name in `engine/support`. */
  readonly runtime: { readonly name: string; readonly dialect: RuntimeDialect };
  /** Returns true if the database is known to have no `=` between values of the two types. */
  lacksEquality(left: TypeRef, right: TypeRef, shape: Pick<Shape, "converted">): boolean;
  /** Returns the declaration of a column's type in generated modules. */
  scalarCall(type: TypeRef): ScalarCall;
  /**
   * Returns the type of a text column that the metadata declares as JSON; `undefined` if it is not a text type. Absent
   * for databases with JSON types.
   */
  jsonColumnType?(type: TypeRef): TypeRef | undefined;
  /** Returns the scalar that a `ScalarCall` declares. */
  scalarOf(call: ScalarCall): ScalarType;
  /** Yields the GraphQL scalars of built-in types and of types in the shape. */
  scalarNames(shape: Shape): Iterable<string>;
  /** Returns the type with this name in SQL. Unknown names are assumed to be types of extensions. */
  typeNamed(shape: Shape, name: string): TypeRef;
  /** Returns true if a constant of this type may be inlined into a statement. */
  inputIsImmutable(type: TypeRef): boolean;
  /** Matches a quoted identifier or constant in a statement at `lastIndex`. */
  readonly quoted: RegExp;
  /** Returns the types whose columns support an operator, for messages; empty for an unknown operator. */
  typesWithOperator(operator: string): readonly string[];
  /** Returns the reason why events of a table cannot be recorded, or `undefined`. */
  recordingProblem(request: RecordingRequest): string | undefined;
  /** Returns the database objects that record events of a table. */
  recorder(plan: RecorderPlan): EventRecorder;
  /** Update events always contain the old row. */
  readonly keepsOldRow: boolean;
  /** Returns the JSON type of a column's values in recorded events, without null. */
  recordedType(type: TypeRef, shape: Shape, stringifyNumbers: boolean): JsonType;
}
