/** Lowers functions and enum tables to IR. */
import { automaticField } from "../2-analyze/naming.ts";
import { printName } from "../catalog/schema/names.ts";
import { isGraphqlName } from "../catalog/schema/scalars.ts";
import { dialectOf } from "../dialects/index.ts";
import type { EnumInputs, FunctionInputs, FunctionRootInputs } from "./function-inputs.ts";
import type { ArgumentIr, EnumIr, FunctionIr, FunctionRootIr } from "./ir.ts";
import { sessionPosition } from "./tables.ts";

export function lowerFunction({ source, kind, convention, function: shape, tracked }: FunctionInputs): FunctionIr {
  const dialect = dialectOf(kind);
  const quote = (name: string): string => dialect.runtime.dialect.quoteIdentifier(name);
  const { schema, name } = shape;
  return {
    function: { source, schema, name },
    sql: `${quote(schema)}.${quote(name)}`,
    displayName: printName(shape, dialect.defaultSchema),
    arguments: shape.arguments.map(({ name, type, hasDefault }): ArgumentIr => {
      const names =
        name === null
          ? {}
          : { ...(isGraphqlName(name) ? { field: automaticField(convention, name) } : {}), sql: quote(name) };
      return { ...names, type: dialect.scalarCall(type), hasDefault };
    }),
    returnsSet: shape.returnsSet,
    ...(tracked ? { tracked: { type: tracked.graphqlName, ...sessionPosition(tracked) } } : {}),
  };
}

/** Returns the root fields of a function exposed as a query. */
export function lowerFunctionRoots(inputs: FunctionRootInputs, operation: "query" | "subscription"): FunctionRootIr[] {
  const rows = rowsRoot(inputs);
  if (!inputs.aggregations[operation]) return [rows];
  const { function: called, table } = rows;
  return [rows, { field: inputs.rootFields.aggregate, kind: "function_aggregate", function: called, table }];
}

/** Returns the root field that calls a function and returns its rows. */
export function rowsRoot(inputs: FunctionRootInputs): FunctionRootIr {
  const { source, function: name, target, rootFields, comment } = inputs;
  return {
    field: rootFields.function,
    kind: "function",
    function: { source, schema: name.schema, name: name.name },
    table: { source, schema: target.schema, name: target.name },
    ...(comment == null ? {} : { description: comment }),
  };
}

export function lowerEnum({ source, table, graphqlName, values }: EnumInputs): EnumIr {
  return { table: { source, schema: table.schema, name: table.name }, type: graphqlName, values };
}
