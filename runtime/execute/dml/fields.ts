/** Builds planner fields for data operations. */

import type { Input } from "../../model/planner/request/input.ts";
import type { SelectedField, SelectedMeta } from "../../model/planner/request/selected-field.ts";

export const noArguments: ReadonlyMap<string, Input> = new Map();

/**
 * Builds a field without arguments.
 * @param path path of the field in the operation
 */
export function plainField(
  key: string,
  meta: SelectedMeta,
  path: string,
  selection: readonly SelectedField[] = [],
): SelectedField {
  return { key, meta, args: noArguments, selection, path };
}
