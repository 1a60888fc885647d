/** Finds the tables whose rows an operation reads or writes. */
import { Kind, type SelectionSetNode } from "graphql";
import type { RoleDefinition } from "../../model/definitions/roots.ts";
import type { TableDefinition } from "../../model/definitions/table.ts";
import { type Operation, readOperation } from "../../model/planner/request/document.ts";
import { type RoleSchema, roleSchema } from "../../model/schema/role-schema.ts";
import type { AbstractTypeDef, ObjectTypeDef, OutputMeta } from "../../model/schema/types.ts";
import { EngineError } from "../../values/errors.ts";
import type { AnalyzedProgram } from "../compile/analyze-input.ts";
import type { TestCase } from "./test-file.ts";

export interface ConcernedTable {
  readonly source: string;
  /** Qualified, unless the table is in the default schema of its database. */
  readonly name: string;
}

/**
 * Returns a function that lists the tables of a case. It reads the schema of administrators, in which fields have the
 * same names as for other roles, so that tables that the role of the case must not read are listed too.
 */
export function tablesOfCases({ program, loader }: AnalyzedProgram): (test: TestCase) => readonly ConcernedTable[] {
  const { role } = loader.require(program.roleModule("admin")) as { readonly role: RoleDefinition };
  const schema = roleSchema(role, "backend");
  return ({ query, operation }) => {
    const read = readable(query, operation);
    return read === undefined ? [] : new Walk(read.fragments).tables(read, schema);
  };
}

function readable(query: string, operation: string | null): Operation | undefined {
  try {
    return readOperation(query, operation);
  } catch (error) {
    if (error instanceof EngineError) return undefined;
    throw error;
  }
}

type Composite = ObjectTypeDef | AbstractTypeDef;

class Walk {
  readonly #fragments: Operation["fragments"];
  readonly #found = new Map<string, ConcernedTable>();

  constructor(fragments: Operation["fragments"]) {
    this.#fragments = fragments;
  }

  tables({ definition }: Operation, schema: RoleSchema): readonly ConcernedTable[] {
    const roots = { query: schema.query, mutation: schema.mutation, subscription: schema.subscription };
    const root = roots[definition.operation];
    if (root) this.#select(root, definition.selectionSet);
    return [...this.#found.values()];
  }

  #select(type: Composite, { selections }: SelectionSetNode): void {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        const field = type.fields().get(selection.name.value);
        if (field === undefined) continue;
        for (const table of tablesOf(field.meta)) this.#add(table);
        const of = field.type();
        if (selection.selectionSet && "fields" in of) this.#select(of as Composite, selection.selectionSet);
        continue;
      }
      const inner = selection.kind === Kind.INLINE_FRAGMENT ? selection : this.#fragments.get(selection.name.value);
      if (inner === undefined) continue;
      const condition = inner.typeCondition?.name.value;
      const narrowed = type.kind === "object" || condition === undefined ? type : type.types().get(condition);
      this.#select(narrowed ?? type, inner.selectionSet);
    }
  }

  #add({ source, displayName, query }: TableDefinition): void {
    if (query === undefined)
      this.#found.set(`${source.name} ${displayName}`, { source: source.name, name: displayName });
  }
}

/** Returns the table of a field that reads or writes rows. */
function tablesOf(meta: OutputMeta): readonly TableDefinition[] {
  switch (meta.kind) {
    case "root":
    case "stream":
    case "write":
      return [meta.root.view().table];
    case "relationship":
    case "relationship_aggregate":
    case "relationship_group":
    case "relationship_connection":
      return [meta.relationship.target().table];
    case "join":
    case "join_aggregate":
      return [meta.join.relationship.target().table];
    case "computed":
      return meta.computed.kind === "rows" ? [meta.computed.target().table] : [];
    default:
      return [];
  }
}
