/** Rows of the catalogue statement. Their properties must match the column names in `statement.ts`. */
import { EngineError, invariant } from "../../../../runtime/values/errors.ts";

export interface RelationRow {
  readonly id: number;
  readonly schema: string;
  readonly name: string;
  /** User table or view. */
  readonly kind: "U" | "V";
  readonly comment: string | null;
  /** A security policy filters the rows. */
  readonly hidesRows: boolean;
}

export interface ColumnRow {
  readonly relation: number;
  readonly position: number;
  readonly name: string;
  /** The system type, also for a column with an alias type. */
  readonly type: string;
  /** In bytes; -1 for `max`. */
  readonly length: number;
  readonly precision: number;
  readonly scale: number;
  readonly nullable: boolean;
  readonly identity: boolean;
  readonly computed: boolean;
  /** Nonzero for columns maintained by the server, such as the period columns of a temporal table. */
  readonly generated: number;
  readonly hasDefault: boolean;
  /** `select *` leaves the column out. */
  readonly hidden: boolean;
  /** Computed by a function that reads tables. */
  readonly readsData: boolean;
  /** The collation of a text column; `database_default` for the collation of the database. */
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
  /** Existing rows may violate the key. */
  readonly isUnchecked: boolean;
}

export interface FunctionRow {
  readonly id: number;
  readonly schema: string;
  readonly name: string;
  /** Scalar, inline table-valued, or multi-statement table-valued function. */
  readonly kind: "FN" | "IF" | "TF";
  readonly comment: string | null;
}

/** A parameter; position 0 is the return type of a scalar function. */
export interface ParameterRow {
  readonly function: number;
  readonly position: number;
  /** With the leading `@`; empty at position 0. */
  readonly name: string;
  readonly type: string;
  readonly length: number;
  readonly precision: number;
  readonly scale: number;
  readonly isTable: boolean;
}

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

/** Lower levels have no OPENJSON, regardless of the server version. */
const minCompatibilityLevel = 130;

function checkCompatibility(level: string | null | undefined): void {
  if (level === null || level === undefined || Number(level) >= minCompatibilityLevel) return;
  throw new EngineError(
    "not-supported",
    "$",
    `the database has compatibility level ${level}, but JSON functions require at least ${minCompatibilityLevel}: run "alter database current set compatibility_level = 150"`,
  );
}

/**
 * Parses the result of the catalogue statement.
 * @throws EngineError `not-supported` for a database whose compatibility level is too low
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
