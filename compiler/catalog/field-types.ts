/** What the type of a field of a logical model stands for in the database. */
import type { ModelFieldType } from "./model.ts";

/** The type of a scalar field, or of a list of scalars, as SQL writes it. */
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

/** Another model, or a list of it. Lists of lists of models are not offered. */
export function nestedModelIn(type: ModelFieldType): NestedModelType | undefined {
  if ("logical_model" in type) return { name: type.logical_model, list: false };
  if ("array" in type && "logical_model" in type.array) return { name: type.array.logical_model, list: true };
  return undefined;
}
