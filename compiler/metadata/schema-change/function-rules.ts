/** What SQL must not make of functions that the metadata uses (`metadata-api.md` 4.4): overloaded, or VOLATILE. */

import { qualifiedKey } from "../../2-analyze/analysis.ts";
import type { QualifiedName, Source } from "../../catalog/model.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { print } from "../lookups.ts";
import type { FunctionDifference, SourceDifference } from "./difference.ts";

/** Checks the tracked functions that are still there. */
export function refuseOverloads(source: Source, { functions }: SourceDifference, path: string): Diagnostic | undefined {
  const overloaded = source.functions
    .filter((tracked) => functions.get(qualifiedKey(tracked.function))?.overloaded)
    .map((tracked) => print(source.kind, tracked.function))
    .sort();
  if (overloaded.length === 0) return undefined;
  const message = `the following tracked function(s) cannot be overloaded: ${overloaded.join(", ")}`;
  return { code: "not-supported", path, message };
}

/** Checks tracked functions. */
export function refuseVolatile(source: Source, { functions }: SourceDifference, path: string): Diagnostic | undefined {
  const altered = source.functions.find((tracked) => becameVolatile(functions.get(qualifiedKey(tracked.function))));
  if (altered === undefined) return undefined;
  const name = print(source.kind, altered.function);
  const message = `type of function "${name}" is altered to "VOLATILE" which is not supported now`;
  return { code: "not-supported", path, message };
}

/** Checks the functions behind the computed fields of the source's tables. */
export function refuseComputedFields(
  source: Source,
  { functions }: SourceDifference,
  path: string,
): Diagnostic | undefined {
  for (const { table, computed_fields } of source.tables) {
    for (const { name, definition } of computed_fields) {
      const difference = functions.get(qualifiedKey(definition.function));
      const problem = difference && problemOf(difference, { source, table, field: name });
      if (problem !== undefined) return { code: "not-supported", path, message: problem };
    }
  }
  return undefined;
}

interface FieldAddress {
  readonly source: Source;
  readonly table: QualifiedName;
  readonly field: string;
}

function problemOf(difference: FunctionDifference, { source, table, field }: FieldAddress): string | undefined {
  const name = print(source.kind, difference.name);
  const owner = print(source.kind, table);
  if (difference.overloaded) {
    // The blank that is missing before the field's name is missing in the peer's text, too; clients may compare it.
    return `The function "${name}" associated with computed field"${field}" of table "${owner}" is being overloaded`;
  }
  if (!becameVolatile(difference)) return undefined;
  return `The type of function "${name}" associated with computed field "${field}" of table "${owner}" is being altered to "VOLATILE"`;
}

function becameVolatile(difference: FunctionDifference | undefined): boolean {
  return difference?.after?.volatility === "volatile" && difference.before.volatility !== "volatile";
}
