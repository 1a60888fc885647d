/** Fields of the answers of data operations, as the planner takes them. */

import type { Input } from "../../model/planner/request/input.ts";
import type { SelectedField, SelectedMeta } from "../../model/planner/request/selected-field.ts";

export const noArguments: ReadonlyMap<string, Input> = new Map();

/** @param path where the operation asks for it */
export function plainField(
  key: string,
  meta: SelectedMeta,
  path: string,
  selection: readonly SelectedField[] = [],
): SelectedField {
  return { key, meta, args: noArguments, selection, path };
}
