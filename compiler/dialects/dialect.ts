/** What the compiler needs of a kind of database: one implementation per folder beside this file. */

import type { Dialect as RuntimeDialect } from "../../runtime/model/definitions/dialect.ts";
import type { EventRecorder } from "../../runtime/model/definitions/events/event-trigger.ts";
import { operatorName, type ScalarType } from "../../runtime/model/definitions/scalar-type.ts";
import type { Definitions } from "../../runtime/values/database-fact.ts";
import type { QualifiedName, SourceKind } from "../catalog/model.ts";
import type { NativeColumn, NativeQueryQuestion } from "../shape/native-query.ts";
import type { EnumValueShape, Shape, TableShape, TypeRef } from "../shape/shape.ts";
import type { TableDetails } from "../shape/table-details.ts";
import type { JsonType } from "./json-type.ts";
import type { RecorderPlan, RecordingRequest } from "./recorder.ts";

/** Runs one statement without parameters and answers its rows as text; rejects with the database's error. */
export type Query = (sql: string) => Promise<readonly (readonly (string | null)[])[]>;

/** The columns of an enum table that hold its values and what describes them. */
export interface EnumColumns {
  readonly value: string;
  readonly comment: string | null;
}

/** A call of a function of `engine/support`: how generated modules write a type. */
export interface ScalarCall {
  readonly function: string;
  readonly arguments: readonly (string | Readonly<Record<string, string>> | ScalarCall)[];
}

export function isScalarCall(argument: ScalarCall["arguments"][number]): argument is ScalarCall {
  return typeof argument === "object" && Array.isArray(argument.arguments);
}

/** A column of a table and one of another that are equal in rows which belong together. */
export interface JoinedColumns {
  readonly local: string;
  readonly remote: string;
  /** Their equality in SQL; absent: `=`. */
  readonly operator?: string;
  /** The type in which both are compared; absent: their own. */
  readonly cast?: string;
}

/** Pairs two columns. @param localType of the column, where it is known; so `remoteType` */
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

/** What stored procedures need. */
export interface ProcedureDialect {
  /** The type of a variable or of a column that holds every value of this type; `undefined`: there is no such type. */
  declaredType(type: TypeRef): string | undefined;
  /** Whether a parameter can be called so. */
  isArgumentName(name: string): boolean;
}

/** How functions take rows and session variables. */
interface FunctionDialect {
  /** An argument takes a whole row, and rows are those of a table's type; else both are matched column by column. */
  readonly rowTypes: boolean;
  /** Whether an argument of this type takes the session variables as JSON. */
  takesSession(type: TypeRef): boolean;
  /** The type that it has to have, for messages. */
  readonly sessionType: string;
}

export interface Dialect {
  readonly kind: SourceKind;
  /** Schema of a table name that is written without one. */
  readonly defaultSchema: string;
  /** Whether queries may go to read replicas. */
  readonly hasReplicas: boolean;
  /** Whether names in the convention `graphql-default` exist for it. */
  readonly hasGraphqlNaming: boolean;
  /**
   * Reads everything a Shape names except the rows of enum tables. Only reads, and leaves the session as it was.
   * @param known as the database was seen before: tables that look the same may be the same objects
   */
  introspect(query: Query, known?: Shape): Promise<Shape>;
  /**
   * A text that is another one whenever `introspect` would read something else, asked for at a fraction of the cost.
   * Absent: only reading tells.
   */
  fingerprint?(query: Query): Promise<string>;
  /** What people want to know of one table besides its Shape. */
  readTableDetails(query: Query, table: TableShape): Promise<TableDetails>;
  /** Reads hashes of the SQL in the database; `query` has to run all its statements in one transaction. */
  readDefinitions(query: Query): Promise<Definitions>;
  /** Where the values of this table would stand if it were an enum; `undefined`: its key cannot be an enum's. */
  enumColumns(table: TableShape): EnumColumns | undefined;
  /** Reads the rows of an enum table, ordered by value. */
  readEnumValues(query: Query, table: QualifiedName, columns: EnumColumns): Promise<readonly EnumValueShape[]>;
  /**
   * The columns of the model that a native query gives; the query is not run. `query` has to run each statement in a
   * transaction of its own. Rejects with its error when the database refuses the native query.
   */
  checkNativeQuery(query: Query, question: NativeQueryQuestion): Promise<ReadonlyMap<string, NativeColumn>>;
  readonly functions: FunctionDialect;
  /** SQL name of the type of columns that hold JSON of nested models. */
  readonly documentType: string;
  /** The type of a member of such JSON, as a list of columns names it. */
  memberType(type: TypeRef): string;
  /** Absent: it has no stored procedures that answer rows. */
  readonly procedures?: ProcedureDialect;
  /** The dialect that requests use, and its name in `engine/support`. */
  readonly runtime: { readonly name: string; readonly dialect: RuntimeDialect };
  /** Returns whether the database surely has no `=` between values of the two types; false where that is not known. */
  lacksEquality(left: TypeRef, right: TypeRef, shape: Pick<Shape, "converted">): boolean;
  /** The type of a column as generated modules write it. */
  scalarCall(type: TypeRef): ScalarCall;
  /** The type of a column whose texts the metadata declares as JSON; `undefined`: it cannot hold any. Absent: there are types for JSON. */
  jsonColumnType?(type: TypeRef): TypeRef | undefined;
  /** What such a call gives. */
  scalarOf(call: ScalarCall): ScalarType;
  /** The GraphQL scalars that values of this database can have: those of built-in types and of types in the Shape. */
  scalarNames(shape: Shape): Iterable<string>;
  /** The type that SQL calls by this name, as a column would have it. Unknown names are taken for types of extensions. */
  typeNamed(shape: Shape, name: string): TypeRef;
  /** Whether a constant of this type may stand in the text of a statement (ruling 21). */
  inputIsImmutable(type: TypeRef): boolean;
  /** What stands between quotes in a statement, from `lastIndex` on: names and constants. */
  readonly quoted: RegExp;
  /** Types whose columns can be compared by this operator, for messages; none: there is no such operator. */
  typesWithOperator(operator: string): readonly string[];
  /** Why the events of a table cannot be recorded so; `undefined`: they can. */
  recordingProblem(request: RecordingRequest): string | undefined;
  /** What records events of a table. */
  recorder(plan: RecorderPlan): EventRecorder;
  /** Whether an event of an update always has the row as it was. */
  readonly keepsOldRow: boolean;
  /** What values of a column are in what a recorder writes, unless they are null. */
  recordedType(type: TypeRef, shape: Shape, stringifyNumbers: boolean): JsonType;
}
