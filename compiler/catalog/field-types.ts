/** Database types of the fields of logical models. */
import type { ModelFieldType } from "./model.ts";

/** Returns the SQL type of a scalar field or a list of scalars; `undefined` for a nested model. */
export function scalarIn(type: ModelFieldType): string | undefined {
  if ("array" in type) {
    const element = scalarIn(type.array);
    return element === undefined ? undefined : `${element}[]`;
  }
  return "scalar" in type ? type.scalar : undefined;
}

export interface NestedModelType {
  readonly name: string;
  readonly list: boolean;
}

/**
 * Returns the nested model of a field, single or as a list; `undefined` for scalars. Lists of lists of models are not
 * supported.
 */
export function nestedModelIn(type: ModelFieldType): NestedModelType | undefined {
  if ("logical_model" in type) return { name: type.logical_model, list: false };
  if ("array" in type && "logical_model" in type.array) return { name: type.array.logical_model, list: true };
  return undefined;
}
