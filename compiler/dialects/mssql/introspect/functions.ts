/** Rows of the catalogue → functions of the Shape, in its order. */

import { compareNames } from "../../../../runtime/values/text-order.ts";
import type { FunctionShape, TypeRef } from "../../../shape/shape.ts";
import type { CatalogRows, FunctionRow, ParameterRow } from "./rows.ts";
import { systemType, typeOfColumn } from "./types.ts";

/** What a table-valued function returns. */
const tableType: TypeRef = { ...systemType("table"), category: "composite" };

export function functionShapes({ functions, parameters, returnedColumns }: CatalogRows): readonly FunctionShape[] {
  return functions
    .map((row) => {
      const own = parameters.filter((parameter) => parameter.function === row.id);
      const columns = returnedColumns.filter((column) => column.function === row.id);
      return functionShape(
        row,
        own,
        columns.map((column) => ({ name: column.name, type: typeOf(column) })),
      );
    })
    .sort(compareNames);
}

/** A function writes nothing: the server refuses it. Each argument may have a default, which the server alone knows. */
function functionShape(
  { id, schema, name, kind, comment }: FunctionRow,
  parameters: readonly ParameterRow[],
  columns: NonNullable<FunctionShape["columns"]>,
): FunctionShape {
  const result = parameters.find(({ position }) => position === 0);
  return {
    schema,
    name,
    id,
    comment,
    volatility: "stable",
    strict: false,
    variadic: false,
    returnsSet: kind !== "FN",
    returns: kind === "FN" && result ? typeOf(result) : tableType,
    returnsTable: null,
    ...(kind === "FN" ? {} : { columns }),
    arguments: parameters
      .filter(({ position }) => position > 0)
      .map((parameter) => ({
        name: parameter.name.replace(/^@/, ""),
        type: parameter.isTable ? { ...systemType(parameter.type), category: "pseudo" } : typeOf(parameter),
        hasDefault: true,
        table: null,
      })),
  };
}

const typeOf = (row: Omit<Parameters<typeof typeOfColumn>[0], "collation">): TypeRef =>
  typeOfColumn({ ...row, collation: null });
