/**
 * The Shape of one source: what introspection found in its database. Plain JSON with a fixed order (tables and
 * functions by schema and name, columns by position), so that it can be saved beside the metadata and diffed.
 */

import type { Definitions } from "../../runtime/values/database-fact.ts";

export interface Shape {
  /** Version of this format; raised when a field changes its meaning. */
  readonly format: 1;
  readonly kind: "postgres" | "mssql";
  /** Version of the database server as it names itself, for example `15.18`. */
  readonly serverVersion: string;
  readonly tables: readonly TableShape[];
  readonly functions: readonly FunctionShape[];
  /** Enum, composite, domain and range types that columns or functions use, without built-in and row types. */
  readonly types: readonly TypeShape[];
  /** Built-in types for which the database has more implicit casts or `=` than the server brings, in order; absent: none. */
  readonly converted?: readonly string[];
  /** Hashes of the SQL in the database; only in saved Shapes, for the drift check of artifacts. */
  readonly definitions?: Definitions;
}

type RelationKind = "table" | "view" | "materialized_view" | "foreign_table" | "partitioned_table";

export interface TableShape {
  readonly schema: string;
  readonly name: string;
  /** The database's own identifier (PostgreSQL `oid`): how a rename is recognised. */
  readonly id: number;
  readonly kind: RelationKind;
  readonly comment: string | null;
  readonly columns: readonly ColumnShape[];
  readonly primaryKey: KeyShape | null;
  /** Unique constraints, without the primary key; by name. */
  readonly uniqueKeys: readonly KeyShape[];
  /** Unique indexes that no constraint stands for; by name; absent: none. */
  readonly uniqueIndexes?: readonly UniqueIndexShape[];
  /** Foreign keys of this table; by name. */
  readonly foreignKeys: readonly ForeignKeyShape[];
  /** What the database lets a statement do to this relation (views: auto-updatable or by trigger). */
  readonly insertable: boolean;
  readonly updatable: boolean;
  readonly deletable: boolean;
  /** Rows of the table, read only where the metadata says that the table is an enum. */
  readonly enumValues?: readonly EnumValueShape[];
  /** A trigger runs before a statement that writes, once for all its rows. */
  readonly statementTriggers?: true;
  /** A trigger before each row, or a rule, decides what an insert writes: it may leave out rows. */
  readonly insertTriggers?: true;
  /** A partition of another table. It can be tracked like any table, but is not offered in lists of tables. */
  readonly isPartition?: true;
  /** It inherits from another table, or another from it, as no partition does: they share rows. */
  readonly inherits?: true;
  /** Row-level security hides rows of it from the engine's own user. */
  readonly hidesRows?: true;
}

export interface EnumValueShape {
  readonly value: string;
  readonly comment: string | null;
}

export interface ColumnShape {
  readonly name: string;
  /** Position number (PostgreSQL `attnum`): how a rename is recognised. */
  readonly position: number;
  readonly type: TypeRef;
  readonly nullable: boolean;
  readonly hasDefault: boolean;
  /** `always`: never written by a statement. */
  readonly identity: "always" | "by_default" | null;
  readonly generated: boolean;
  /** SQL of a column that is computed when it is read (PostgreSQL 18), from other columns of the row: triggers see null. */
  readonly virtual?: string;
  /** Computed by a function that reads tables (SQL Server); absent: it is not. */
  readonly readsData?: true;
  readonly comment: string | null;
}

/** A type as a column or argument names it. */
export interface TypeRef {
  /** Schema of the type; `pg_catalog` for built-in ones. */
  readonly schema: string;
  /** Catalogue name without array brackets: `int4`, `text`, `citext`, `mood`. */
  readonly name: string;
  /** The type as it is written in a cast, quoted where needed: `integer`, `character varying`, `shop.mood`, `integer[]`. */
  readonly sql: string;
  readonly category: "base" | "enum" | "composite" | "domain" | "range" | "pseudo";
  /** Element type of an array; then `name` and `sql` are those of the array. */
  readonly element?: TypeRef;
  /** Base type of a domain, domains of domains resolved. */
  readonly base?: TypeRef;
  /** Operators of a base type outside `pg_catalog`; absent if unknown, as in Shapes of earlier versions. */
  readonly operators?: TypeOperators;
  /**
   * A role without the rights of the source's user owns the type, or a type that it is made of: casts of it may run
   * code of that role. Never of a type with functions in C, which takes a superuser.
   */
  readonly ownedByOthers?: true;
  /** The text holds JSON, as the metadata says (SQL Server); never in a Shape. */
  readonly holdsJson?: true;
  /** Of a column of texts in SQL Server: `database_default` where it is that of the database. */
  readonly collation?: string;
}

/** The operators that came with a type: its owner's, with the type on their left. */
export interface TypeOperators {
  /** Where they and the type's functions are, quoted where needed. */
  readonly schema: string;
  /** Names of the comparison operators that the type has, in order. */
  readonly names: readonly string[];
}

export interface KeyShape {
  readonly name: string;
  readonly columns: readonly string[];
  /** `on conflict` cannot handle a conflict on it: it is deferrable, or WITHOUT OVERLAPS. */
  readonly isNoArbiter?: true;
}

/** `columns` are those of its key, expressions left out. */
export interface UniqueIndexShape extends KeyShape {
  /** SQL of its columns and expressions, where it has expressions or a condition. */
  readonly elements?: readonly string[];
  /** SQL that holds for the rows in it; absent: all rows. */
  readonly condition?: string;
}

export interface ForeignKeyShape {
  readonly name: string;
  readonly id: number;
  readonly columns: readonly string[];
  readonly foreignTable: { readonly schema: string; readonly name: string };
  /** In the order of `columns`. */
  readonly foreignColumns: readonly string[];
  /** Rows may contradict it: it is not enforced, or was not checked when it was added or enforced again. */
  readonly isUnchecked?: true;
}

export interface FunctionShape {
  readonly schema: string;
  readonly name: string;
  readonly id: number;
  readonly comment: string | null;
  readonly volatility: "immutable" | "stable" | "volatile";
  readonly strict: boolean;
  readonly variadic: boolean;
  readonly returnsSet: boolean;
  readonly returns: TypeRef;
  /** The table whose row type is returned, if it is one. */
  readonly returnsTable: { readonly schema: string; readonly name: string } | null;
  /** Columns of its rows, where these have no type of their own (SQL Server), in order. */
  readonly columns?: readonly { readonly name: string; readonly type: TypeRef }[];
  /** Input arguments in order; unnamed ones have `name: null`. */
  readonly arguments: readonly {
    readonly name: string | null;
    readonly type: TypeRef;
    readonly hasDefault: boolean;
    /** The table whose row type the argument has, if it is one. */
    readonly table: { readonly schema: string; readonly name: string } | null;
  }[];
}

export type TypeShape =
  | { readonly kind: "enum"; readonly schema: string; readonly name: string; readonly values: readonly string[] }
  | {
      readonly kind: "composite";
      readonly schema: string;
      readonly name: string;
      readonly fields: readonly { readonly name: string; readonly type: TypeRef }[];
    }
  | { readonly kind: "domain"; readonly schema: string; readonly name: string; readonly base: TypeRef }
  | { readonly kind: "range"; readonly schema: string; readonly name: string; readonly subtype: TypeRef };

/** A shape of a database without any object: what an unreachable source is analysed with. */
export function emptyShape(kind: Shape["kind"]): Shape {
  return { format: 1, kind, serverVersion: "", tables: [], functions: [], types: [] };
}
