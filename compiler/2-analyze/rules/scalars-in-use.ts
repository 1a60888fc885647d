/** Returns the GraphQL scalars of sources and actions in the schema of any role. */
import type { Catalog } from "../../catalog/catalog.ts";
import { dialectOf } from "../../dialects/index.ts";
import type { FunctionShape, TypeRef } from "../../shape/shape.ts";
import type { AnalyzedSource } from "../analysis.ts";
import { baseTypeName } from "./custom-types.ts";

export function scalarsInUse(
  sources: Iterable<AnalyzedSource>,
  { actions, custom_types }: Pick<Catalog, "actions" | "custom_types">,
): ReadonlySet<string> {
  const names = new Set<string>();
  for (const source of sources) {
    const dialect = dialectOf(source.source.kind);
    for (const type of typesOf(source)) names.add(dialect.scalarOf(dialect.scalarCall(type)).graphql);
  }
  const { enums, input_objects, objects } = custom_types;
  const others = new Set([...enums, ...input_objects, ...objects].map(({ name }) => name));
  for (const name of [...namesOfActions(actions), ...namesOfTypes(custom_types)])
    if (!others.has(name)) names.add(name);
  return names;
}

function* typesOf(source: AnalyzedSource): Generator<TypeRef> {
  const { tables, functions, logicalModels, nativeQueries, storedProcedures } = source;
  for (const { columns, computedFields } of tables.values()) {
    for (const { shape } of columns) yield shape.type;
    for (const { function: called, returns } of computedFields.values()) {
      yield* argumentTypes(called.arguments);
      if (returns.kind === "scalar") yield returns.type;
    }
  }
  for (const { shape } of functions.values()) yield* argumentTypes(shape.arguments);
  for (const { columns } of logicalModels.values()) for (const { shape } of columns) yield shape.type;
  for (const each of [...nativeQueries.values(), ...storedProcedures.values()]) {
    for (const { shape } of each.model.columns) yield shape.type;
    for (const { type } of each.arguments) yield type;
  }
}

/** Returns the argument types that requests can set, without row arguments. */
function argumentTypes(given: FunctionShape["arguments"]): readonly TypeRef[] {
  return given.flatMap(({ table, type }) => (table === null && type.category !== "pseudo" ? type : []));
}

/** Scalars in the result type of asynchronous actions. */
const ofAsynchronous = ["uuid", "timestamptz", "json"];

function* namesOfActions(actions: Catalog["actions"]): Generator<string> {
  for (const { definition } of actions) {
    yield baseTypeName(definition.output_type);
    for (const { type } of definition.arguments ?? []) yield baseTypeName(type);
    if (definition.kind === "asynchronous") yield* ofAsynchronous;
  }
}

function* namesOfTypes({ scalars, input_objects, objects }: Catalog["custom_types"]): Generator<string> {
  for (const { name } of scalars) yield name;
  for (const { fields } of [...input_objects, ...objects]) for (const { type } of fields) yield baseTypeName(type);
}
