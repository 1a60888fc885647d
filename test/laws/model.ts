/** The subject of the laws as plain data: tables with their rows, and the permissions of a role. */
import type { ColumnType, Value } from "./column-types.ts";

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly nullable: boolean;
}

export interface Relationship {
  readonly name: string;
  readonly kind: "object" | "array";
  /** Name of the other table. */
  readonly target: string;
  readonly mapping: readonly (readonly [local: string, remote: string])[];
  /** The table with the foreign key; `undefined` for a manual relationship. */
  readonly foreignKeyOf: "this" | "other" | undefined;
  /** If true, the target is in another place: a null key yields null, and conditions and orderings cannot follow it. */
  readonly leaves?: boolean;
}

/** The location of a table: one of two databases, or a remote GraphQL server with a type in the form of a table. */
export type Place = "default" | "other" | "server";

export interface Table {
  readonly name: string;
  readonly place: Place;
  readonly columns: readonly Column[];
  /** Columns whose values are unique together. */
  readonly key: readonly Column[];
  /** A unique column that every permission includes, so that requests can always break ties. */
  readonly tie: Column;
  /** True if the database has the key as a constraint. */
  readonly hasPrimaryKey: boolean;
  readonly foreignKeys: readonly ForeignKey[];
  readonly relationships: readonly Relationship[];
}

export interface ForeignKey {
  readonly columns: readonly string[];
  readonly target: string;
  /** Columns of the target's key. */
  readonly targetColumns: readonly string[];
}

export type Row = Readonly<Record<string, Value>>;

export interface World {
  readonly tables: ReadonlyMap<string, Table>;
  readonly rows: ReadonlyMap<string, readonly Row[]>;
}

export interface SelectPermission {
  readonly columns: readonly Column[];
  readonly filter: Filter;
  readonly limit: number | undefined;
  readonly aggregations: boolean;
}

/** The rows and columns of a table that a role may read: by its own permission, or by those of its parents. */
export type Grant = SelectPermission | { readonly parents: readonly Grant[] };

/** The role that reads a world. */
export interface Viewpoint {
  readonly world: World;
  readonly role: string;
  /** By table; `undefined` for the admin, who may read everything. */
  readonly select: ReadonlyMap<string, Grant> | undefined;
  /** Values of session variables, by name in lower case. */
  readonly session: Readonly<Record<string, string>>;
}

export type Operand =
  | { readonly kind: "value"; readonly value: unknown }
  /** `value` is the text of the variable as a value of the operand's type. */
  | { readonly kind: "session"; readonly variable: string; readonly value: unknown };

export interface Test {
  /** As in `column-types.ts`, or `_is_null`. */
  readonly operator: string;
  readonly operand: Operand;
}

/** A condition on one row of a table. */
export type Filter =
  | { readonly kind: "and" | "or"; readonly items: readonly Filter[] }
  | { readonly kind: "not"; readonly item: Filter }
  /** True if all tests are true. */
  | { readonly kind: "column"; readonly column: Column; readonly tests: readonly Test[] }
  | { readonly kind: "related"; readonly relationship: Relationship; readonly where: Filter }
  /** In permissions: true if the role may read a related row. */
  | { readonly kind: "permitted"; readonly relationship: Relationship }
  /** In permissions: true if any table, related or not, has a row that satisfies the filter. */
  | { readonly kind: "exists"; readonly table: string; readonly where: Filter }
  /** In permissions: compares with a column of the same row, or of the row that the permission restricts. */
  | {
      readonly kind: "columns";
      readonly column: Column;
      readonly operator: ColumnOperator;
      readonly other: Column;
      readonly ofRoot: boolean;
    };

export const columnOperators = ["_ceq", "_cne", "_cgt", "_cgte", "_clt", "_clte"] as const;
export type ColumnOperator = (typeof columnOperators)[number];

export const everything: Filter = { kind: "and", items: [] };

export function tableOf({ tables }: World, name: string): Table {
  const table = tables.get(name);
  if (!table) throw new Error(`no such table: ${name}`);
  return table;
}

export function columnOf({ name: table, columns }: Table, name: string): Column {
  const column = columns.find((candidate) => candidate.name === name);
  if (!column) throw new Error(`no such column: ${table}.${name}`);
  return column;
}

/** Returns the permitted columns, or `undefined` if the table is hidden. */
export function readableColumns({ select }: Viewpoint, table: Table): readonly Column[] | undefined {
  if (select === undefined) return table.columns;
  const grant = select.get(table.name);
  const given = grant && new Set(permissionsOf(grant).flatMap(({ columns }) => columns));
  return given && table.columns.filter((column) => given.has(column));
}

export function mayAggregate({ select, world }: Viewpoint, table: string): boolean {
  if (tableOf(world, table).place === "server") return false;
  const grant = select?.get(table);
  return select === undefined || (grant !== undefined && permissionsOf(grant).some(({ aggregations }) => aggregations));
}

/** Returns the largest limit of the parents, if any. */
export function rowLimit({ select }: Viewpoint, table: string): number | undefined {
  const grant = select?.get(table);
  const limits = grant ? permissionsOf(grant).flatMap(({ limit }) => limit ?? []) : [];
  return limits.length === 0 ? undefined : Math.max(...limits);
}

/** Returns all permissions of a grant. */
export function permissionsOf(grant: Grant): readonly SelectPermission[] {
  return "parents" in grant ? grant.parents.flatMap(permissionsOf) : [grant];
}

/** Returns the relationships that conditions and orderings can follow. */
export function relationshipsWithin({ relationships }: Table): readonly Relationship[] {
  return relationships.filter(({ leaves }) => !leaves);
}

/** Returns the root field of a table. */
export const rootField = ({ name, place }: Table): string => (place === "server" ? `${name}_all` : name);

/** Returns the visible relationships. */
export function visibleRelationships(viewpoint: Viewpoint, table: Table): readonly Relationship[] {
  return table.relationships.filter(({ target }) => viewpoint.select?.has(target) !== false);
}
