/**
 * The shape of a source: the introspected structure of its database. Plain JSON in a fixed order (tables and functions
 * by schema and name, columns by position), so that it can be stored and diffed beside the metadata.
 */

import type { Definitions } from "../../runtime/values/database-fact.ts";
import type { ReviewFacts } from "./review-facts.ts";

export interface Shape {
  /** Format version, incremented when a field changes its meaning. */
  readonly format: 1;
  readonly kind: "postgres" | "mssql";
  /** Version of the database server, for example `15.18`. */
  readonly serverVersion: string;
  readonly tables: readonly TableShape[];
  readonly functions: readonly FunctionShape[];
  /** Enum, composite, domain and range types used by columns or functions, without built-in and row types. */
  readonly types: readonly TypeShape[];
  /** Built-in types with additional implicit casts or `=` operators in this database, sorted; absent: none. */
  readonly converted?: readonly string[];
  /** The extension Citus, which distributes tables over several servers; absent: the database is a single server. */
  readonly citus?: CitusShape;
  /** Hashes of SQL definitions in the database, for the drift check of build artifacts; only in stored shapes. */
  readonly definitions?: Definitions;
  /** Indexes and rights of functions, for `advise`; only in stored shapes. */
  readonly review?: ReviewFacts;
}

interface CitusShape {
  /** Version of the extension, for example `13.2-1`. */
  readonly version: string;
}

type RelationKind = "table" | "view" | "materialized_view" | "foreign_table" | "partitioned_table";

export interface TableShape {
  readonly schema: string;
  readonly name: string;
  /** Identifier in the database (PostgreSQL `oid`), which a rename does not change. */
  readonly id: number;
  readonly kind: RelationKind;
  readonly comment: string | null;
  readonly columns: readonly ColumnShape[];
  readonly primaryKey: KeyShape | null;
  /** Unique constraints without the primary key, by name. */
  readonly uniqueKeys: readonly KeyShape[];
  /** Unique indexes without a constraint, by name; absent: none. */
  readonly uniqueIndexes?: readonly UniqueIndexShape[];
  /** Foreign keys of this table, by name. */
  readonly foreignKeys: readonly ForeignKeyShape[];
  /**
   * Write statements that the relation supports. A view supports them if it is auto-updatable or has triggers for them.
   */
  readonly insertable: boolean;
  readonly updatable: boolean;
  readonly deletable: boolean;
  /** Rows of the table; only if the metadata declares it as an enum. */
  readonly enumValues?: readonly EnumValueShape[];
  /** A statement-level BEFORE trigger exists. */
  readonly statementTriggers?: true;
  /** A row-level BEFORE INSERT trigger or an INSERT rule exists, which may change or skip rows. */
  readonly insertTriggers?: true;
  /** A partition. It can be tracked like any table, but lists of tables leave it out. */
  readonly isPartition?: true;
  /**
   * The table is a parent or child in inheritance without partitioning: queries of the parent also return rows of the
   * child.
   */
  readonly inherits?: true;
  /** Row-level security hides rows from the user of the source. */
  readonly hidesRows?: true;
  /** Placement of the rows in Citus; absent: on the coordinator, or on the only server. */
  readonly distribution?: DistributionShape;
}

/** Placement of the rows of a Citus table. */
export type DistributionShape =
  | { readonly kind: "reference" }
  | {
      readonly kind: "distributed";
      /** Column whose value determines the shard; absent: the table has one shard. */
      readonly column?: string;
      /** Tables with the same number are co-located: equal values of their columns are on the same server. */
      readonly colocation: number;
    };

export interface EnumValueShape {
  readonly value: string;
  readonly comment: string | null;
}

export interface ColumnShape {
  readonly name: string;
  /** Column number (PostgreSQL `attnum`), which a rename does not change. */
  readonly position: number;
  readonly type: TypeRef;
  readonly nullable: boolean;
  readonly hasDefault: boolean;
  /** `always`: statements cannot set the column. */
  readonly identity: "always" | "by_default" | null;
  readonly generated: boolean;
  /**
   * SQL expression of a virtual generated column (PostgreSQL 18) over other columns of the row. Triggers see null
   * instead of its value.
   */
  readonly virtual?: string;
  /** Computed by a function that reads tables (SQL Server). */
  readonly readsData?: true;
  readonly comment: string | null;
}

/** A type as referenced by a column or argument. */
export interface TypeRef {
  /** Schema of the type; `pg_catalog` for built-in types. */
  readonly schema: string;
  /** Catalogue name: `int4`, `text`, `citext`, `mood`. */
  readonly name: string;
  /** Name in casts, quoted where needed: `integer`, `character varying`, `shop.mood`, `integer[]`. */
  readonly sql: string;
  readonly category: "base" | "enum" | "composite" | "domain" | "range" | "pseudo";
  /** Element type of an array; `name` and `sql` describe the array. */
  readonly element?: TypeRef;
  /** Base type of a domain, with nested domains resolved. */
  readonly base?: TypeRef;
  /** Operators of a base type outside `pg_catalog`; absent if unknown, as in shapes of earlier versions. */
  readonly operators?: TypeOperators;
  /**
   * The type or a part of it belongs to a role whose rights the user of the source does not have, so casts of it may
   * run code of that role. Never set for types with functions in C, which only superusers can create.
   */
  readonly ownedByOthers?: true;
  /** The metadata declares the text column as JSON (SQL Server). Never set in a shape. */
  readonly holdsJson?: true;
  /** Collation of a text column in SQL Server; `database_default` for the collation of the database. */
  readonly collation?: string;
}

/** Operators created by the owner of a type, with the type as left operand. */
export interface TypeOperators {
  /** Schema of the operators and the type's functions, quoted where needed. */
  readonly schema: string;
  /** Names of the type's comparison operators, sorted. */
  readonly names: readonly string[];
}

export interface KeyShape {
  readonly name: string;
  readonly columns: readonly string[];
  /** The key cannot be the target of `on conflict`: it is deferrable, or WITHOUT OVERLAPS. */
  readonly isNoArbiter?: true;
}

/** A unique index; `columns` are the key columns, without expressions. */
export interface UniqueIndexShape extends KeyShape {
  /** SQL of the key columns and expressions; absent without expressions and condition. */
  readonly elements?: readonly string[];
  /** SQL condition of a partial index; absent: the index covers all rows. */
  readonly condition?: string;
}

export interface ForeignKeyShape {
  readonly name: string;
  readonly id: number;
  readonly columns: readonly string[];
  readonly foreignTable: { readonly schema: string; readonly name: string };
  /** In the order of `columns`. */
  readonly foreignColumns: readonly string[];
  /**
   * Existing rows may violate the key: it is not enforced, or was not validated when it was added or enforced again.
   */
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
  /** The table whose row type is returned, if any. */
  readonly returnsTable: { readonly schema: string; readonly name: string } | null;
  /** The text of the function names a distributed table of Citus, or a view; `sql`: its language is SQL. */
  readonly readsDistributed?: "sql" | "other";
  /** The other servers of Citus do not have the function. */
  readonly isOnlyLocal?: true;
  /** Result columns of a function without a named row type (SQL Server), in order. */
  readonly columns?: readonly { readonly name: string; readonly type: TypeRef }[];
  /** Input arguments in order; unnamed ones have `name: null`. */
  readonly arguments: readonly {
    readonly name: string | null;
    readonly type: TypeRef;
    readonly hasDefault: boolean;
    /** The table whose row type the argument has, if any. */
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

/** Returns the shape of an empty database, which represents an unreachable source in the analysis. */
export function emptyShape(kind: Shape["kind"]): Shape {
  return { format: 1, kind, serverVersion: "", tables: [], functions: [], types: [] };
}
