/**
 * What the catalogue statement answers. The rows here and the names of columns in `statement.ts` are two sides of one
 * contract.
 */
import { EngineError, invariant } from "../../../../runtime/values/errors.ts";

export interface RelationRow {
  readonly id: number;
  readonly schema: string;
  readonly name: string;
  /** User table or view. */
  readonly kind: "U" | "V";
  readonly comment: string | null;
  /** A security policy decides which rows are seen. */
  readonly hidesRows: boolean;
}

export interface ColumnRow {
  readonly relation: number;
  readonly position: number;
  readonly name: string;
  /** The system type, also where the column has an alias of it. */
  readonly type: string;
  /** In bytes; -1 for `max`. */
  readonly length: number;
  readonly precision: number;
  readonly scale: number;
  readonly nullable: boolean;
  readonly identity: boolean;
  readonly computed: boolean;
  /** Not 0: the server keeps the column, as those of a temporal table's period. */
  readonly generated: number;
  readonly hasDefault: boolean;
  /** Left out by `select *`. */
  readonly hidden: boolean;
  /** Computed by a function that reads tables. */
  readonly readsData: boolean;
  /** Of texts; `database_default` stands for that of the database. */
  readonly collation: string | null;
  readonly comment: string | null;
}

export interface KeyRow {
  readonly relation: number;
  readonly name: string;
  /** Primary key or unique constraint. */
  readonly kind: "PK" | "UQ";
  readonly position: number;
}

export interface ForeignKeyRow {
  readonly id: number;
  readonly relation: number;
  readonly name: string;
  readonly target: number;
  readonly position: number;
  readonly targetPosition: number;
  /** Rows may contradict it. */
  readonly isUnchecked: boolean;
}

export interface FunctionRow {
  readonly id: number;
  readonly schema: string;
  readonly name: string;
  /** A scalar function, or a table-valued one: inline, or of several statements. */
  readonly kind: "FN" | "IF" | "TF";
  readonly comment: string | null;
}

/** The parameter at position 0 is what a scalar function returns. */
export interface ParameterRow {
  readonly function: number;
  readonly position: number;
  /** With the `@` before it; empty at position 0. */
  readonly name: string;
  readonly type: string;
  readonly length: number;
  readonly precision: number;
  readonly scale: number;
  /** It takes a table. */
  readonly isTable: boolean;
}

/** A column of what a table-valued function returns. */
export interface ReturnedColumnRow {
  readonly function: number;
  readonly position: number;
  readonly name: string;
  readonly type: string;
  readonly length: number;
  readonly precision: number;
  readonly scale: number;
}

export interface CatalogRows {
  readonly version: string;
  readonly relations: readonly RelationRow[];
  readonly columns: readonly ColumnRow[];
  readonly keys: readonly KeyRow[];
  readonly foreignKeys: readonly ForeignKeyRow[];
  readonly functions: readonly FunctionRow[];
  readonly parameters: readonly ParameterRow[];
  readonly returnedColumns: readonly ReturnedColumnRow[];
}

/** With an older one there is no OPENJSON, whatever the version of the server. */
const leastCompatibility = 130;

function checkCompatibility(level: string | null | undefined): void {
  if (level === null || level === undefined || Number(level) >= leastCompatibility) return;
  throw new EngineError(
    "not-supported",
    "$",
    `the database has compatibility level ${level}, and ${leastCompatibility} is the least that has JSON functions: run "alter database current set compatibility_level = 150"`,
  );
}

/**
 * Parses the answer of the catalogue statement.
 * @throws EngineError `not-supported` for a database that behaves like a server too old
 */
export function readCatalogRows(rows: readonly (readonly (string | null)[])[]): CatalogRows {
  const bodies = new Map(rows.map(([section, body]) => [section, body]));
  const version = bodies.get("version");
  invariant(typeof version === "string", "the server answered no version");
  checkCompatibility(bodies.get("compatibility"));
  const section = <Row>(name: string): readonly Row[] => {
    invariant(bodies.has(name), `the catalogue has no section ${name}`);
    return JSON.parse(bodies.get(name) ?? "[]") as readonly Row[];
  };
  return {
    version,
    relations: section("relations"),
    columns: section("columns"),
    keys: section("keys"),
    foreignKeys: section("foreignKeys"),
    functions: section("functions"),
    parameters: section("parameters"),
    returnedColumns: section("returnedColumns"),
  };
}
