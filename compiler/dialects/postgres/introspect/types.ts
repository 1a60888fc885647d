/**
 * Converts catalogue rows to types: a dictionary from type identifiers to type references, and the list of user-defined
 * types that were looked up.
 */

import { builtInType } from "../../../../runtime/model/dialects/postgres/scalars.ts";
import { invariant } from "../../../../runtime/values/errors.ts";
import { compareNames } from "../../../../runtime/values/text-order.ts";
import type { TypeOperators, TypeRef, TypeShape } from "../../../shape/shape.ts";
import type { CatalogAnswer, OperatorsRow, TypeRow } from "./rows.ts";

/** Constraints that a domain adds to its base type. */
export interface DomainRules {
  readonly notNull: boolean;
  readonly hasDefault: boolean;
}

export class TypeDictionary {
  /** Unparsed rows. */
  readonly #texts: CatalogAnswer["types"];
  readonly #rows = new Map<string, TypeRow>();
  readonly #labels: ReadonlyMap<string, CatalogAnswer["labels"][number][1]>;
  readonly #fields: ReadonlyMap<string, CatalogAnswer["fields"][number][1]>;
  readonly #subtypes: ReadonlyMap<string, string>;
  readonly #operators: ReadonlyMap<string, OperatorsRow>;
  /** Types that were looked up; all columns of a type share one object. */
  readonly #refs = new Map<string, TypeRef>();

  constructor({
    types,
    labels,
    fields,
    subtype,
    operators,
  }: Pick<CatalogAnswer, "types" | "labels" | "fields" | "subtype" | "operators">) {
    this.#texts = types;
    this.#labels = new Map(labels);
    this.#fields = new Map(fields);
    this.#subtypes = new Map(subtype);
    // The schema of the type itself comes last, so that it overrides others.
    this.#operators = new Map(
      operators.toSorted((a, b) => Number(a[2]) - Number(b[2])).map((row) => [row[0], row] as const),
    );
  }

  /** Returns the reference to a type for columns and arguments. */
  refOf(oid: string): TypeRef {
    const known = this.#refs.get(oid);
    if (known !== undefined) return known;
    const ref = this.#build(oid, this.#rowOf(oid));
    this.#refs.set(oid, ref);
    return ref;
  }

  /** Returns the table or view whose row type this is, or `null`. */
  tableOf(oid: string): { readonly schema: string; readonly name: string } | null {
    const [, schema, name, , , , , , , isRowType] = this.#rowOf(oid);
    return isRowType ? { schema, name } : null;
  }

  domainRulesOf(oid: string): DomainRules {
    const [, , , , kind, , base, notNull, hasDefault] = this.#rowOf(oid);
    if (kind !== "d") return { notNull: false, hasDefault: false };
    // A domain inherits the default of its base domain when it is created, but not its NOT NULL.
    return { notNull: notNull || this.domainRulesOf(base).notNull, hasDefault };
  }

  /**
   * Returns the user-defined types of the shape: enum, composite, domain and range types outside `pg_catalog` that were
   * looked up, with their component types. Row types are left out: their fields are the columns of a table.
   */
  shapes(): TypeShape[] {
    const shapes: TypeShape[] = [];
    // Building a shape may add types to the map, which the loop also visits.
    for (const [oid, ref] of this.#refs) {
      const shape = ref.schema === "pg_catalog" ? undefined : this.#shapeOf(oid, ref);
      if (shape !== undefined) shapes.push(shape);
    }
    return shapes.sort(compareNames);
  }

  /** Returns the catalogue text of a type and its parts; empty if there is no such type. */
  textOf(oid: string): string {
    if (!this.#texts.has(oid)) return "";
    const [, , , , , element, base] = this.#rowOf(oid);
    return [
      this.#texts.get(oid),
      JSON.stringify(this.#operators.get(oid)),
      ...[element, base].map((other) => this.textOf(other)),
    ].join("\n");
  }

  #rowOf(oid: string): TypeRow {
    let row = this.#rows.get(oid);
    if (row === undefined) {
      const text = this.#texts.get(oid);
      invariant(text !== undefined, `type ${oid} is not in the catalogue`);
      row = JSON.parse(text) as TypeRow;
      this.#rows.set(oid, row);
    }
    return row;
  }

  #build(oid: string, [, schema, name, qualifiedName, kind, element, base]: TypeRow): TypeRef {
    if (element !== "0") {
      const elementRef = this.refOf(element);
      return { schema, name, sql: `${elementRef.sql}[]`, category: "base", element: elementRef };
    }
    const sql = schema === "pg_catalog" ? builtInName(name) : qualifiedName;
    if (kind !== "d") {
      const operators = schema === "pg_catalog" ? undefined : this.#operatorsOf(oid, kind, qualifiedName, name);
      return {
        ...{ schema, name, sql, category: categories[kind] },
        ...(operators && { operators }),
        ...(this.#isOfOthers(oid) && { ownedByOthers: true }),
      };
    }
    const baseRef = this.refOf(base);
    return { schema, name, sql, category: "domain", base: baseRef.base ?? baseRef };
  }

  /** Returns the operators of a type. Enum, composite, range and array types have the operators of their kind. */
  #operatorsOf(oid: string, kind: TypeRow[4], qualifiedName: string, name: string): TypeOperators | undefined {
    if (kind === "m") return { schema: "pg_catalog", names: orderingOperators };
    if (kind !== "b") return undefined;
    const [, schema = schemaOf(qualifiedName, name), , names = []] = this.#operators.get(oid) ?? [];
    return { schema, names };
  }

  /**
   * Returns true if other roles own the type or a part of it. Composite types may contain lists of each other, hence
   * `seen`.
   */
  #isOfOthers(oid: string, seen: Set<string> = new Set()): boolean {
    if (seen.has(oid)) return false;
    seen.add(oid);
    const [, , , , , element, base, , , , ownedByOthers] = this.#rowOf(oid);
    const fields = (this.#fields.get(oid) ?? []).map(([, type]) => type);
    const parts = [element, base, ...fields].filter((part) => part !== "0");
    return ownedByOthers || parts.some((part) => this.#isOfOthers(part, seen));
  }

  #shapeOf(oid: string, { schema, name, category, base }: TypeRef): TypeShape | undefined {
    switch (category) {
      case "enum":
        return { kind: "enum", schema, name, values: this.#labels.get(oid) ?? [] };
      case "composite": {
        if (this.tableOf(oid) !== null) return undefined;
        const fields = this.#fields.get(oid) ?? [];
        return { kind: "composite", schema, name, fields: fields.map(([field, type]) => this.#field(field, type)) };
      }
      case "domain":
        invariant(base !== undefined, `domain ${name} has no base type`);
        return { kind: "domain", schema, name, base };
      case "range": {
        const subtype = this.#subtypes.get(oid);
        invariant(subtype !== undefined, `range type ${name} has no subtype`);
        return { kind: "range", schema, name, subtype: this.refOf(subtype) };
      }
      default:
        return undefined;
    }
  }

  #field(name: string, type: string): { readonly name: string; readonly type: TypeRef } {
    return { name, type: this.refOf(type) };
  }
}

const orderingOperators: readonly string[] = ["<", "<=", "<>", "=", ">", ">="];

/** Returns the schema of a qualified name, with the same quoting. */
export function schemaOf(qualifiedName: string, name: string): string {
  const quoted = `."${name.replaceAll('"', '""')}"`;
  return qualifiedName.slice(0, qualifiedName.endsWith(quoted) ? -quoted.length : -name.length - 1);
}

/** A multirange has no bounds of its own and no entry in a shape, so it counts as a base type. */
const categories = { b: "base", c: "composite", e: "enum", m: "base", p: "pseudo", r: "range" } as const;

/** Names with another meaning in the grammar. */
const quotedNames = new Set(["any", "bit", "char"]);

const plainName = /^[a-z_][a-z0-9_]*$/;

/**
 * Returns the SQL name of a built-in type: the standard's, except for `character` and `bit`, which in a cast mean length 1
 * and would truncate a value.
 */
export function builtInName(name: string): string {
  const standard = builtInType(name)?.standard;
  if (standard !== undefined) return standard;
  return plainName.test(name) && !quotedNames.has(name) ? name : `"${name.replaceAll('"', '""')}"`;
}
