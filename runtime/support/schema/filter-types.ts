/** Filters: `T_bool_exp` and the comparison inputs of column types (`graphql-api.md` 4). */
import type { CastOperator, Operator, StructuredOperator } from "../operator.ts";
import type { ScalarType } from "../scalar-type.ts";
import type { Column, SourceDefinition } from "../table.ts";
import type { TableView } from "../view.ts";
import { isPlain } from "./function-types.ts";
import { lazy, sortedMap } from "./lazy.ts";
import type { TypeRegistry } from "./registry.ts";
import type { InputField, InputObjectTypeDef } from "./types.ts";

/** The filter of a table, over the columns and relationships of a role. */
export function filterType(types: TypeRegistry, view: TableView): InputObjectTypeDef {
  const { table } = view;
  const name = table.source.naming.type(table.type, "bool_exp");
  return types.get<InputObjectTypeDef>(name, () => ({
    kind: "input",
    name,
    description: `Boolean expression to filter rows from the table "${table.displayName}". All fields are combined with a logical 'AND'.`,
    fields: lazy(() =>
      sortedMap([
        ["_and", combination(types, view, "and", true)],
        ["_not", combination(types, view, "not", false)],
        ["_or", combination(types, view, "or", true)],
        ...view.columns.map((column) => [column.field, columnFilter(types, view, column)] as const),
        ...Object.entries(view.relationships).map(
          ([field, relationship]) =>
            [
              field,
              {
                type: () => filterType(types, relationship.target()),
                list: false,
                required: false,
                nullIsAbsent: false,
                meta: { kind: "relationship", relationship },
              } satisfies InputField,
            ] as const,
        ),
        ...computedFilters(types, view),
      ]),
    ),
  }));
}

/** Those that take nothing from requests: a comparison of the value, or a filter of the rows. */
function* computedFilters(types: TypeRegistry, view: TableView): Iterable<readonly [string, InputField]> {
  for (const [field, computed] of Object.entries(view.computedFields)) {
    if (!isPlain(computed.kind === "value" ? computed : computed.call)) continue;
    const type = (): InputObjectTypeDef =>
      computed.kind === "value"
        ? comparisonType(types, view.table.source, computed.type)
        : filterType(types, computed.target());
    yield [field, { type, list: false, required: false, nullIsAbsent: false, meta: { kind: "computed", computed } }];
  }
}

function combination(types: TypeRegistry, view: TableView, kind: "and" | "or" | "not", list: boolean): InputField {
  return { type: () => filterType(types, view), list, required: false, nullIsAbsent: false, meta: { kind } };
}

function columnFilter(types: TypeRegistry, view: TableView, column: Column): InputField {
  return {
    type: () => comparisonType(types, view.table.source, column.type),
    list: false,
    required: false,
    nullIsAbsent: false,
    meta: { kind: "column", column },
  };
}

/** The operators of a column type. */
export function comparisonType(types: TypeRegistry, source: SourceDefinition, type: ScalarType): InputObjectTypeDef {
  const { naming, dialect } = source;
  const base = type.enumeration ? type.graphql : naming.commonType(type.graphql);
  const name = naming.joined(base, dialect.comparisonSuffix(type));
  return types.get<InputObjectTypeDef>(name, () => ({
    kind: "input",
    name,
    description: `Boolean expression to compare columns of type "${type.graphql}". All fields are combined with logical 'AND'.`,
    fields: lazy(() =>
      sortedMap(
        dialect
          .operators(type)
          .map((operator) => [naming.field(operator.name), operatorField(types, source, operator)]),
      ),
    ),
  }));
}

function operatorField(types: TypeRegistry, source: SourceDefinition, operator: Operator): InputField {
  const field = {
    list: false,
    required: false,
    nullIsAbsent: false,
    meta: { kind: "operator", operator },
    ...(operator.description === undefined ? {} : { description: operator.description }),
  } as const;
  switch (operator.kind) {
    case "compare":
      return {
        ...field,
        list: operator.list || operator.operand.element !== undefined,
        type: () => types.scalarOf(operator.operand),
      };
    case "flag":
      return { ...field, type: () => types.scalar("Boolean") };
    case "cast":
      return { ...field, type: () => castType(types, source, operator) };
    case "structured":
      return { ...field, type: () => structuredType(types, source, operator) };
  }
}

/** The input object of an operator with several operands. */
function structuredType(
  types: TypeRegistry,
  { naming }: SourceDefinition,
  operator: StructuredOperator,
): InputObjectTypeDef {
  const name = naming.commonType(operator.inputType);
  return types.get<InputObjectTypeDef>(name, () => ({
    kind: "input",
    name,
    fields: lazy(
      () =>
        new Map(
          Object.entries(operator.fields).map(([field, { type, required, defaultValue }]) => [
            naming.field(field),
            {
              type: () => types.scalarOf(type),
              list: false,
              required,
              nullIsAbsent: !required,
              meta: { kind: "operand", name: field },
              ...(defaultValue === undefined ? {} : { defaultValue }),
            },
          ]),
        ),
    ),
  }));
}

/** `{String: String_comparison_exp}`: the operators after a cast. */
function castType(
  types: TypeRegistry,
  source: SourceDefinition,
  { inputType, target }: CastOperator,
): InputObjectTypeDef {
  const name = source.naming.commonType(inputType);
  return types.get<InputObjectTypeDef>(name, () => ({
    kind: "input",
    name,
    fields: lazy(
      () =>
        new Map([
          [
            target.graphql,
            {
              type: () => comparisonType(types, source, target),
              list: false,
              required: false,
              nullIsAbsent: false,
              meta: { kind: "argument" },
            },
          ],
        ]),
    ),
  }));
}
