/** Functions and enum tables of the Analysis → their IR. */
import { printName } from "../catalog/schema/names.ts";
import { isGraphqlName } from "../catalog/schema/scalars.ts";
import type { EnumInputs, FunctionInputs, FunctionRootInputs } from "./function-inputs.ts";
import type { ArgumentIr, EnumIr, FunctionIr, FunctionRootIr } from "./ir.ts";
import { dialectFor, sessionPosition } from "./tables.ts";

export function lowerFunction({ source, kind, function: shape, tracked }: FunctionInputs): FunctionIr {
  const dialect = dialectFor(kind);
  const quote = (name: string): string => dialect.runtime.dialect.quoteIdentifier(name);
  const { schema, name } = shape;
  return {
    function: { source, schema, name },
    sql: `${quote(schema)}.${quote(name)}`,
    displayName: printName(shape, dialect.defaultSchema),
    arguments: shape.arguments.map(({ name, type, hasDefault }): ArgumentIr => {
      const names = name === null ? {} : { ...(isGraphqlName(name) ? { field: name } : {}), sql: quote(name) };
      return { ...names, type: dialect.scalarCall(type), hasDefault };
    }),
    returnsSet: shape.returnsSet,
    ...(tracked ? { tracked: { type: tracked.graphqlName, ...sessionPosition(tracked) } } : {}),
  };
}

/** The fields of a function that is no mutation. */
export function lowerFunctionRoots(inputs: FunctionRootInputs): FunctionRootIr[] {
  const { source, function: name, target, rootFields, aggregations } = inputs;
  const shared = {
    function: { source, schema: name.schema, name: name.name },
    table: { source, schema: target.schema, name: target.name },
  };
  const description = inputs.comment == null ? {} : { description: inputs.comment };
  const rows: FunctionRootIr = { field: rootFields.function, kind: "function", ...shared, ...description };
  if (!aggregations) return [rows];
  return [rows, { field: rootFields.aggregate, kind: "function_aggregate", ...shared }];
}

/** The field of a function that is a mutation. */
export function lowerFunctionMutation(inputs: FunctionRootInputs): FunctionRootIr[] {
  return lowerFunctionRoots({ ...inputs, aggregations: false });
}

export function lowerEnum({ source, table, graphqlName, values }: EnumInputs): EnumIr {
  return { table: { source, schema: table.schema, name: table.name }, type: graphqlName, values };
}
