/** An argument of a field that reads; null stands for its absence unless it has to be given. */
import type { InputField, InputTypeDef } from "./types.ts";

export function queryArgument(
  type: () => InputTypeDef,
  description: string | undefined,
  options: { readonly list?: boolean; readonly required?: boolean } = {},
): InputField {
  const { list = false, required = false } = options;
  return {
    type,
    list,
    required,
    nullIsAbsent: !required,
    meta: { kind: "argument" },
    ...(description === undefined ? {} : { description }),
  };
}
