/** What a data operation that writes answers, as the selection of a mutation response: `{affected_rows, returning}`. */

import type { Column } from "../../definitions/table.ts";
import type { SelectedField } from "../../planner/request/selection.ts";
import { noArguments, type OutputMeta, type OutputTypeDef } from "../../schema/types.ts";

const anyType: OutputTypeDef = { kind: "scalar", name: "String" };

/** A field that was not selected in GraphQL; of its definition only the meaning counts. */
export function selected(key: string, meta: OutputMeta, selection: readonly SelectedField[] = []): SelectedField {
  const field = { type: () => anyType, list: false, required: false, args: noArguments, meta };
  return { key, name: key, field, args: new Map(), selection, nodes: [], path: "$" };
}

/** @param names how the columns are called in the answer */
export function writeResponse(columns: readonly Column[] | undefined, names: readonly string[]): SelectedField {
  const rows = columns?.map((column, i) => selected(names[i] ?? column.field, { kind: "column", column }));
  return selected("response", { kind: "constant", value: "" }, [
    selected("affected_rows", { kind: "affected_rows" }),
    ...(rows ? [selected("returning", { kind: "returning" }, rows)] : []),
  ]);
}
