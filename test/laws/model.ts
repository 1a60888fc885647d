/** What the laws are about, as plain data: tables with their rows, and what a role may do with them. */
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
  /** The table whose foreign key it uses; `undefined`: a manual one. */
  readonly foreignKeyOf: "this" | "other" | undefined;
  /** It leads out of its place: a key that is null gives null, and conditions and orders cannot follow it. */
  readonly leaves?: boolean;
}

/** Where a table is: in a database of its own, or what looks like a table, in a remote GraphQL server. */
export type Place = "default" | "other" | "server";

export interface Table {
  readonly name: string;
  readonly place: Place;
  readonly columns: readonly Column[];
  /** Columns that no two rows agree on. */
  readonly key: readonly Column[];
  /** One more such column, which every permission gives: requests can always break ties. */
  readonly tie: Column;
  /** The database knows of the key. */
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

/** What a role may read of a table: by a permission of its own, or by those of its parents. */
export type Grant = SelectPermission | { readonly parents: readonly Grant[] };

/** Who looks at a world. */
export interface Viewpoint {
  readonly world: World;
  readonly role: string;
  /** By table; `undefined`: the admin, who may read everything. */
  readonly select: ReadonlyMap<string, Grant> | undefined;
  /** Texts by name in lower case. */
  readonly session: Readonly<Record<string, string>>;
}

export type Operand =
  | { readonly kind: "value"; readonly value: unknown }
  /** `value` is what the text of the variable means as the operand's type. */
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
  /** All tests hold. */
  | { readonly kind: "column"; readonly column: Column; readonly tests: readonly Test[] }
  | { readonly kind: "related"; readonly relationship: Relationship; readonly where: Filter }
  /** In permissions: some row of another table, related or not. */
  | { readonly kind: "exists"; readonly table: string; readonly where: Filter }
  /** In permissions: a column of the same row, or of the row that the permission is about. */
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

/** The columns that may be named, or `undefined` where the table is hidden. */
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

/** The largest limit of those that have one. */
export function rowLimit({ select }: Viewpoint, table: string): number | undefined {
  const grant = select?.get(table);
  const limits = grant ? permissionsOf(grant).flatMap(({ limit }) => limit ?? []) : [];
  return limits.length === 0 ? undefined : Math.max(...limits);
}

/** All permissions that a grant is made of. */
export function permissionsOf(grant: Grant): readonly SelectPermission[] {
  return "parents" in grant ? grant.parents.flatMap(permissionsOf) : [grant];
}

/** Those that conditions and orders can follow. */
export function relationshipsWithin({ relationships }: Table): readonly Relationship[] {
  return relationships.filter(({ leaves }) => !leaves);
}

/** The field of the query root. */
export const rootField = ({ name, place }: Table): string => (place === "server" ? `${name}_all` : name);

/** The relationships that can be followed. */
export function visibleRelationships(viewpoint: Viewpoint, table: Table): readonly Relationship[] {
  return table.relationships.filter(({ target }) => viewpoint.select?.has(target) !== false);
}
