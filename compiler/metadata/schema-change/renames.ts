/** Renames by SQL in one source: maps old names to new ones. */
import { qualifiedKey } from "../../2-analyze/analysis.ts";
import type { ObjectId } from "../../2-analyze/object-id.ts";
import type { Json, QualifiedName, Source } from "../../catalog/model.ts";
import { sourceKinds } from "../../catalog/schema/names.ts";
import { isJsonObject, type NewNames, type Owner, writtenTable } from "../rename-in-expression.ts";
import type { SourceDifference } from "./difference.ts";

const noColumns: ReadonlyMap<string, string> = new Map();

export class Renames {
  readonly source: string;
  readonly defaultSchema: string;
  /** New names for expressions, in which only columns are renamed. */
  readonly names: NewNames = {
    field: (owner, name) => this.column(owner, name),
    table: (written) => this.rewriteTable(written),
  };
  /** New names by the `qualifiedKey` of the old name. The other maps have the same keys. */
  readonly #tables = new Map<string, QualifiedName>();
  readonly #columns = new Map<string, ReadonlyMap<string, string>>();
  readonly #functions = new Map<string, QualifiedName>();

  constructor(source: Source, { tables, functions }: SourceDifference) {
    this.source = source.name;
    this.defaultSchema = sourceKinds[source.kind].defaultSchema;
    for (const { name, after, renamedColumns } of tables) {
      const key = qualifiedKey(name);
      if (after !== undefined && qualifiedKey(after) !== key) this.#tables.set(key, nameOf(after));
      if (renamedColumns.size > 0) this.#columns.set(key, renamedColumns);
    }
    for (const [key, { after }] of functions) {
      if (after !== undefined && qualifiedKey(after) !== key) this.#functions.set(key, nameOf(after));
    }
  }

  get isEmpty(): boolean {
    return this.#tables.size === 0 && this.#columns.size === 0 && this.#functions.size === 0;
  }

  /** Returns the new name, or the same object if the name did not change. */
  table(name: QualifiedName): QualifiedName {
    return this.#tables.get(qualifiedKey(name)) ?? name;
  }

  function(name: QualifiedName): QualifiedName {
    return this.#functions.get(qualifiedKey(name)) ?? name;
  }

  /** Returns the renamed columns of a table: old name → new name. */
  columns(owner: Owner): ReadonlyMap<string, string> {
    return (owner && this.#columns.get(qualifiedKey(owner))) ?? noColumns;
  }

  column(owner: Owner, name: string): string {
    return this.columns(owner).get(name) ?? name;
  }

  /** Parses a table name: a string, or an object with `name` and `schema`. `undefined` if it is neither. */
  tableIn(written: Json | undefined): Owner {
    return writtenTable(written, this.defaultSchema);
  }

  /**
   * Returns a table name with the new name, in the form in which it was written. A string becomes an object if the new
   * schema is not the default one.
   */
  rewriteTable(written: Json): Json {
    const before = this.tableIn(written);
    if (before === undefined) return written;
    const after = this.table(before);
    if (after === before) return written;
    if (isJsonObject(written)) return { ...written, ...after };
    return after.schema === this.defaultSchema ? after.name : { ...after };
  }

  /** Returns the identity of an object after the renames. */
  object(id: ObjectId): ObjectId {
    if (!("source" in id) || id.source !== this.source) return id;
    if ("function" in id) return { ...id, function: this.function(id.function) };
    if (id.kind === "column") {
      return { ...id, table: this.table(id.table), column: this.column(id.table, id.column) };
    }
    return "table" in id ? { ...id, table: this.table(id.table) } : id;
  }
}

function nameOf({ schema, name }: QualifiedName): QualifiedName {
  return { schema, name };
}
