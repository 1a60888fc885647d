/** Root fields of tracked functions. */

import { lazy, sortedMap } from "../../values/lazy.ts";
import type { FunctionRoot } from "../definitions/roots.ts";
import { functionArguments } from "./function-types.ts";
import { aggregateType, connectionField, listArguments, objectType } from "./output-types.ts";
import type { TypeRegistry } from "./registry.ts";
import type { OutputField } from "./types.ts";

type FieldType = Pick<OutputField, "type" | "list" | "required" | "args" | "cursors">;

export function functionField(types: TypeRegistry, { kind, view, function: call }: FunctionRoot): FieldType {
  const args = lazy(() => sortedMap([...listArguments(types, view()), ...functionArguments(types, call)]));
  if (kind === "function_connection") {
    const connection = connectionField(types, view());
    const own = lazy(() => sortedMap([...connection.args(), ...functionArguments(types, call)]));
    return { ...connection, args: own };
  }
  if (kind === "function_aggregate") {
    return { type: () => aggregateType(types, view()), list: false, required: true, args };
  }
  const isList = call.function.returnsSet;
  return { type: () => objectType(types, view()), list: isList, required: isList, args };
}
