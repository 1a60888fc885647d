/**
 * Lookups for the analysis of one source: its shape by name, its naming rules, and the operators of its types. Created
 * for each analysis.
 */
import type { Operator } from "../../runtime/model/definitions/operator.ts";
import type { ScalarType } from "../../runtime/model/definitions/scalar-type.ts";
import type { QualifiedName, Source } from "../catalog/model.ts";
import { printName } from "../catalog/schema/names.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { FunctionShape, Shape, TableShape, TypeRef } from "../shape/shape.ts";
import { type AnalysisOptions, qualifiedKey } from "./analysis.ts";
import type { TableAddress } from "./metadata-objects.ts";
import { type Naming, namingOf } from "./naming.ts";
import type { ObjectId } from "./object-id.ts";
import { reject, rejectUnknown } from "./rejection.ts";

/** A type with its comparison operators. */
export interface ComparedType {
  readonly scalar: ScalarType;
  readonly operators: ReadonlyMap<string, Operator>;
}

/** A column or field as text, with its type if known. */
export interface TypedValue {
  readonly name: string;
  readonly type: TypeRef | undefined;
}

export class SourceContext {
  readonly source: Source;
  readonly options: AnalysisOptions;
  readonly dialect: Dialect;
  readonly naming: Naming;
  readonly #shape: Shape;
  readonly #types = new Map<string, ComparedType>();

  constructor(source: Source, shape: Shape, dialect: Dialect, options: AnalysisOptions) {
    this.source = source;
    this.#shape = shape;
    this.options = options;
    this.dialect = dialect;
    this.naming = namingOf(source, dialect.defaultSchema, options);
  }

  /** The tables are distributed by Citus. */
  get isDistributed(): boolean {
    return this.#shape.citus !== undefined;
  }

  get tables(): ReadonlyMap<string, TableShape> {
    return indexOf(this.#shape).tables;
  }

  /** Overloads are grouped by name. */
  get functions(): ReadonlyMap<string, readonly FunctionShape[]> {
    return indexOf(this.#shape).functions;
  }

  /** Prints a table or function name for messages, without quotes. */
  print(name: QualifiedName): string {
    return printName(name, this.dialect.defaultSchema);
  }

  addressOf(table: QualifiedName): TableAddress {
    return { source: this.source.name, table, displayName: this.print(table) };
  }

  /** Rejects an object that names an untracked or inconsistent table. */
  rejectNoTable(name: QualifiedName, tables: Iterable<{ readonly displayName: string }>): never {
    const printed = this.print(name);
    const candidates = Array.from(tables, ({ displayName }) => displayName);
    const reason = `table "${printed}" does not exist in source: ${this.source.name}`;
    return rejectUnknown(reason, printed, candidates, this.tableId(name));
  }

  /**
   * Refuses to compare types without a common `=` in the database, which would fail in every query.
   * @throws Rejection
   */
  checkEquality(left: TypedValue, right: TypedValue): void {
    if (left.type === undefined || right.type === undefined) return;
    if (!this.lacksEquality(left.type, right.type)) return;
    const [own, other] = [left, right].map(({ name, type }) => `${name} has type "${type?.sql}"`);
    reject(`the columns cannot be compared: ${own}, ${other}; map columns of types that the database compares by "="`);
  }

  lacksEquality(left: TypeRef, right: TypeRef): boolean {
    return this.dialect.lacksEquality(left, right, this.#shape);
  }

  tableId(table: QualifiedName): ObjectId {
    return { kind: "table", source: this.source.name, table };
  }

  /** Returns the type with this name in SQL. */
  typeNamed(name: string): TypeRef {
    return this.dialect.typeNamed(this.#shape, name);
  }

  comparedType(type: TypeRef): ComparedType {
    const key = type.holdsJson ? `JSON in ${type.sql}` : type.sql;
    let known = this.#types.get(key);
    if (known === undefined) {
      known = this.comparedScalar(this.dialect.scalarOf(this.dialect.scalarCall(type)));
      this.#types.set(key, known);
    }
    return known;
  }

  comparedScalar(scalar: ScalarType): ComparedType {
    const operators = this.dialect.runtime.dialect.operators(scalar);
    return { scalar, operators: new Map(operators.map((operator) => [operator.name, operator])) };
  }
}

interface ShapeIndex {
  readonly tables: ReadonlyMap<string, TableShape>;
  readonly functions: ReadonlyMap<string, readonly FunctionShape[]>;
}

/** Cached by identity: a shape is kept while the database does not change. */
const indexes = new WeakMap<Shape, ShapeIndex>();

function indexOf(shape: Shape): ShapeIndex {
  let index = indexes.get(shape);
  if (index === undefined) {
    const tables = new Map(shape.tables.map((table) => [qualifiedKey(table), table]));
    index = { tables, functions: groupByKey(shape.functions) };
    indexes.set(shape, index);
  }
  return index;
}

function groupByKey<T extends QualifiedName>(items: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = qualifiedKey(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
