/**
 * A database that consists only of its catalogue: the effects of SQL on a schema as methods, and the Shape that
 * introspection would return. Tables, columns, keys and functions keep their identifiers when they are renamed.
 */

import type { QualifiedName } from "../../../../compiler/catalog/model.ts";
import type {
  ColumnShape,
  ForeignKeyShape,
  FunctionShape,
  Shape,
  TableShape,
  TypeRef,
} from "../../../../compiler/shape/shape.ts";

const baseTypes: Readonly<Record<string, string>> = {
  integer: "int4",
  bigint: "int8",
  text: "text",
  boolean: "bool",
  json: "json",
};
type BaseType = "integer" | "bigint" | "text" | "boolean" | "json";

interface Column {
  name: string;
  readonly position: number;
  type: BaseType;
}

interface ForeignKey {
  readonly id: number;
  readonly name: string;
  readonly columns: readonly Column[];
  readonly target: Table;
  readonly targetColumns: readonly Column[];
}

interface Table {
  readonly id: number;
  schema: string;
  name: string;
  columns: Column[];
  foreignKeys: ForeignKey[];
  lastPosition: number;
}

interface Routine {
  readonly id: number;
  schema: string;
  name: string;
  volatility: FunctionShape["volatility"];
  readonly returns: Table | BaseType;
  readonly arguments: readonly (readonly [name: string, type: Table | BaseType])[];
}

export class FakeDatabase {
  #lastId = 100;
  #tables: Table[] = [];
  #functions: Routine[] = [];

  shape(): Shape {
    return {
      format: 1,
      kind: "postgres",
      serverVersion: "15.0",
      tables: this.#tables.map(tableShape),
      functions: this.#functions.map(functionShape),
      types: [],
    };
  }

  /** Creates a table whose first column is the primary key. */
  createTable(name: string, columns: Readonly<Record<string, BaseType>>): this {
    const table: Table = { id: this.#id(), ...split(name), columns: [], foreignKeys: [], lastPosition: 0 };
    this.#tables.push(table);
    for (const [column, type] of Object.entries(columns)) this.addColumn(name, column, type);
    return this;
  }

  /** Drops a table with CASCADE, including the objects that reference it or use its row type. */
  dropTable(name: string): this {
    const gone = this.#table(name);
    this.#tables = this.#tables.filter((table) => table !== gone);
    for (const table of this.#tables) table.foreignKeys = table.foreignKeys.filter(({ target }) => target !== gone);
    this.#functions = this.#functions.filter(
      (each) => each.returns !== gone && !each.arguments.some(([, type]) => type === gone),
    );
    return this;
  }

  renameTable(name: string, to: string): this {
    Object.assign(this.#table(name), split(to));
    return this;
  }

  addColumn(table: string, name: string, type: BaseType): this {
    const owner = this.#table(table);
    owner.columns.push({ name, type, position: ++owner.lastPosition });
    return this;
  }

  dropColumn(table: string, name: string): this {
    const gone = this.#column(table, name);
    const owner = this.#table(table);
    owner.columns = owner.columns.filter((column) => column !== gone);
    for (const each of this.#tables) {
      each.foreignKeys = each.foreignKeys.filter(
        ({ columns, targetColumns }) => !columns.includes(gone) && !targetColumns.includes(gone),
      );
    }
    return this;
  }

  /** Renames columns in one step, so that they may exchange their names. */
  renameColumns(table: string, names: Readonly<Record<string, string>>): this {
    for (const column of this.#table(table).columns) column.name = names[column.name] ?? column.name;
    return this;
  }

  retypeColumn(table: string, name: string, type: BaseType): this {
    this.#column(table, name).type = type;
    return this;
  }

  addForeignKey(table: string, name: string, columns: readonly string[], target: string, to: readonly string[]): this {
    this.#table(table).foreignKeys.push({
      id: this.#id(),
      name,
      columns: columns.map((column) => this.#column(table, column)),
      target: this.#table(target),
      targetColumns: to.map((column) => this.#column(target, column)),
    });
    return this;
  }

  dropForeignKey(table: string, name: string): this {
    const owner = this.#table(table);
    owner.foreignKeys = owner.foreignKeys.filter((key) => key.name !== name);
    return this;
  }

  /**
   * Creates a function.
   * @param input types by argument; the name of a table stands for its row type
   */
  createFunction(
    name: string,
    input: Readonly<Record<string, BaseType | string>>,
    returns: BaseType | string,
    volatility: FunctionShape["volatility"] = "stable",
  ): this {
    const typeOf = (type: string) => (isBaseType(type) ? type : this.#table(type));
    this.#functions.push({
      id: this.#id(),
      ...split(name),
      volatility,
      returns: typeOf(returns),
      arguments: Object.entries(input).map(([argument, type]) => [argument, typeOf(type)] as const),
    });
    return this;
  }

  dropFunction(name: string): this {
    const gone = this.#function(name);
    this.#functions = this.#functions.filter((each) => each !== gone);
    return this;
  }

  renameFunction(name: string, to: string): this {
    Object.assign(this.#function(name), split(to));
    return this;
  }

  alterFunction(name: string, volatility: FunctionShape["volatility"]): this {
    this.#function(name).volatility = volatility;
    return this;
  }

  #id(): number {
    return ++this.#lastId;
  }

  #table(name: string): Table {
    return found(this.#tables.find(named(name)), name);
  }

  #column(table: string, name: string): Column {
    return found(
      this.#table(table).columns.find((column) => column.name === name),
      `${table}.${name}`,
    );
  }

  #function(name: string): Routine {
    return found(this.#functions.find(named(name)), name);
  }
}

/** Parses `name`, in the schema `public`, or `schema.name`. */
export function split(name: string): QualifiedName {
  const [schema, rest] = name.split(".");
  return rest === undefined ? { schema: "public", name } : { schema: schema ?? "", name: rest };
}

function named(text: string): (object: QualifiedName) => boolean {
  const wanted = split(text);
  return ({ schema, name }) => schema === wanted.schema && name === wanted.name;
}

function found<T>(object: T | undefined, name: string): T {
  if (object === undefined) throw new Error(`the test's database has no ${name}`);
  return object;
}

function isBaseType(type: string): type is BaseType {
  return Object.hasOwn(baseTypes, type);
}

function typeRef(type: BaseType): TypeRef {
  return { schema: "pg_catalog", name: baseTypes[type] ?? type, sql: type, category: "base" };
}

function rowType({ schema, name }: Table): TypeRef {
  return { schema, name, sql: `${schema}.${name}`, category: "composite" };
}

function tableShape({ id, schema, name, columns, foreignKeys }: Table): TableShape {
  const [key] = columns;
  return {
    schema,
    name,
    id,
    kind: "table",
    comment: null,
    columns: columns.map(columnShape),
    primaryKey: key === undefined ? null : { name: `${id}_pkey`, columns: [key.name] },
    uniqueKeys: [],
    foreignKeys: foreignKeys.map(foreignKeyShape),
    insertable: true,
    updatable: true,
    deletable: true,
  };
}

function columnShape({ name, position, type }: Column): ColumnShape {
  const plain = { hasDefault: false, identity: null, generated: false, comment: null };
  return { name, position, type: typeRef(type), nullable: position > 1, ...plain };
}

function foreignKeyShape({ id, name, columns, target, targetColumns }: ForeignKey): ForeignKeyShape {
  return {
    id,
    name,
    columns: columns.map((column) => column.name),
    foreignTable: { schema: target.schema, name: target.name },
    foreignColumns: targetColumns.map((column) => column.name),
  };
}

function functionShape({ id, schema, name, volatility, returns, arguments: input }: Routine): FunctionShape {
  const tableOf = (type: Table | BaseType) =>
    typeof type === "string" ? null : { schema: type.schema, name: type.name };
  const typeOf = (type: Table | BaseType) => (typeof type === "string" ? typeRef(type) : rowType(type));
  return {
    schema,
    name,
    id,
    comment: null,
    volatility,
    strict: false,
    variadic: false,
    returnsSet: typeof returns !== "string",
    returns: typeOf(returns),
    returnsTable: tableOf(returns),
    arguments: input.map(([argument, type]) => ({
      name: argument,
      type: typeOf(type),
      hasDefault: false,
      table: tableOf(type),
    })),
  };
}
