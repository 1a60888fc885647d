/** Converts catalogue rows to functions of a shape, with each overload separately. */

import { invariant } from "../../../../runtime/values/errors.ts";
import { compareNames, compareText } from "../../../../runtime/values/text-order.ts";
import type { FunctionShape } from "../../../shape/shape.ts";
import type { FunctionRow } from "./rows.ts";
import type { TypeDictionary } from "./types.ts";

/** Returns the functions, with overloads in the order of their argument types, which a restored dump preserves. */
export function functionShapes(
  rows: readonly FunctionRow[],
  types: TypeDictionary,
  placed: ReadonlyMap<string, PlacedFunction> = new Map(),
): FunctionShape[] {
  return rows
    .map((row) => functionShape(row, types, placed.get(String(row[0]))))
    .sort((left, right) => compareNames(left, right) || compareText(signatureOf(left), signatureOf(right)));
}

function signatureOf(shape: FunctionShape): string {
  return shape.arguments.map((argument) => argument.type.sql).join(", ");
}

const volatilities = { i: "immutable", s: "stable", v: "volatile" } as const;

/** Properties of a function in a database with Citus. */
type PlacedFunction = Pick<FunctionShape, "readsDistributed" | "isOnlyLocal">;

/** @param rows identifiers, languages, whether functions read distributed tables, and whether all servers have them */
export function placedFunctions(rows: readonly (readonly (string | null)[])[]): ReadonlyMap<string, PlacedFunction> {
  return new Map(
    rows.map(([oid, language, reads, isEverywhere]) => [
      oid ?? "",
      {
        ...(reads === "true" && { readsDistributed: language === "sql" ? ("sql" as const) : ("other" as const) }),
        ...(isEverywhere !== "true" && { isOnlyLocal: true as const }),
      },
    ]),
  );
}

function functionShape(row: FunctionRow, types: TypeDictionary, placed: PlacedFunction | undefined): FunctionShape {
  const [oid, schema, name, comment, volatility, strict, variadic, returnsSet, returns] = row;
  return {
    schema,
    name,
    id: Number(oid),
    comment,
    volatility: volatilities[volatility],
    strict,
    variadic,
    returnsSet,
    returns: types.refOf(returns),
    returnsTable: types.tableOf(returns),
    ...placed,
    arguments: inputArguments(row, types),
  };
}

/** Returns the input arguments, without OUT arguments and columns of RETURNS TABLE. */
function inputArguments(row: FunctionRow, types: TypeDictionary): FunctionShape["arguments"] {
  const [, , , , , , , , , argumentTypes, modes, names, defaults] = row;
  const inputs = argumentTypes.flatMap((type, index) => {
    const mode = modes?.[index] ?? "i";
    return mode === "o" || mode === "t" ? [] : [{ type, name: names?.[index] || null }];
  });
  invariant(defaults <= inputs.length, `function ${row[0]} has more defaults than arguments`);
  return inputs.map(({ type, name }, index) => ({
    name,
    type: types.refOf(type),
    hasDefault: index >= inputs.length - defaults,
    table: types.tableOf(type),
  }));
}
