/** Finds the inconsistent objects that would define fields missing from the schema. */
import type { Source } from "../catalog/model.ts";
import { dialectOf } from "../dialects/index.ts";
import { type Analysis, qualifiedKey } from "./analysis.ts";
import { inconsistentObjects } from "./inconsistency.ts";
import { baseName, functionRootFields, namingOf, tableRootFields } from "./naming.ts";
import type { ObjectId } from "./object-id.ts";
import { namingOf as typeNaming } from "./rules/type-names.ts";

export class MissingObjects {
  readonly #analysis: Analysis;
  /** By field. Fields below a namespace are indexed like fields of a root type. */
  readonly #ofRoots = new Map<string, ObjectId>();
  /** By type and field. */
  readonly #ofTables = new Map<string, ObjectId>();

  constructor(analysis: Analysis) {
    this.#analysis = analysis;
    for (const entry of analysis.inconsistencies) {
      if (entry.informational) continue;
      for (const id of inconsistentObjects(entry)) this.#add(id);
    }
  }

  /** Returns the inconsistent object that would define a field, if any. */
  ownerOf(type: string, field: string): ObjectId | undefined {
    return this.#ofTables.get(`${type}.${field}`) ?? (this.#isRoot(type) ? this.#ofRoots.get(field) : undefined);
  }

  /** Returns true for a root type and for the type of a namespace. */
  #isRoot(type: string): boolean {
    return (
      type.endsWith("_root") ||
      this.#analysis.catalog.sources.some(({ customization }) => {
        const namespace = customization?.root_fields?.namespace;
        return namespace !== undefined && namespace !== null && type.includes(`${namespace}_`);
      })
    );
  }

  #add(id: ObjectId): void {
    const { catalog, sources } = this.#analysis;
    const source = "source" in id ? catalog.sources.find(({ name }) => name === id.source) : undefined;
    switch (id.kind) {
      case "source":
        if (source) this.#addSource(source, id);
        return;
      case "table":
      case "function":
        if (source) this.#addRoots(source, id, id);
        return;
      case "native_query":
      case "stored_procedure":
      case "action":
        this.#ofRoots.set(id.name, id);
        return;
      case "object_relation":
      case "array_relation":
      case "computed_field":
      case "remote_relationship": {
        const analyzed = sources.get(id.source);
        const graphqlName = analyzed?.tables.get(qualifiedKey(id.table))?.graphqlName;
        if (!analyzed || !graphqlName) return;
        const naming = typeNaming(analyzed);
        const type = naming.type(graphqlName);
        this.#ofTables.set(`${type}.${id.name}`, id);
        this.#ofTables.set(`${type}.${naming.joined(id.name, "aggregate")}`, id);
      }
    }
  }

  #addSource(source: Source, id: ObjectId): void {
    const { namespace } = source.customization?.root_fields ?? {};
    if (namespace) this.#ofRoots.set(namespace, id);
    for (const { table } of source.tables) this.#addRoots(source, { kind: "table", table }, id);
    for (const each of source.functions) this.#addRoots(source, { kind: "function", function: each.function }, id);
    for (const { root_field_name } of source.native_queries) this.#ofRoots.set(root_field_name, id);
  }

  /** Adds the root fields that a table or a function of the metadata would have. */
  #addRoots(source: Source, given: RootOwner, id: ObjectId): void {
    const naming = namingOf(source, dialectOf(source.kind).defaultSchema, this.#analysis.options);
    const add = (field: string): void => {
      if (!this.#ofRoots.has(field)) this.#ofRoots.set(field, id);
    };
    if (given.kind === "table") {
      const key = qualifiedKey(given.table);
      const table = source.tables.find((each) => qualifiedKey(each.table) === key);
      const base = table && baseName(naming, table.table, table.configuration?.custom_name);
      if (!base) return;
      for (const { name } of Object.values(tableRootFields(naming, base, table.configuration?.custom_root_fields))) {
        add(name);
      }
    } else {
      const key = qualifiedKey(given.function);
      const tracked = source.functions.find((each) => qualifiedKey(each.function) === key);
      const base = tracked && baseName(naming, tracked.function, tracked.configuration?.custom_name);
      if (base) for (const name of Object.values(functionRootFields(naming, base, tracked))) add(name);
    }
  }
}

type RootOwner =
  | Pick<Extract<ObjectId, { kind: "table" }>, "kind" | "table">
  | Pick<Extract<ObjectId, { kind: "function" }>, "kind" | "function">;
