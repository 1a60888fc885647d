/** Builds arguments and input fields other than columns and operators. */
import type { InputField, InputTypeDef } from "./types.ts";

export function argument(
  type: () => InputTypeDef,
  description: string | undefined,
  { list = false, required = false }: { readonly list?: boolean; readonly required?: boolean } = {},
): InputField {
  return {
    type,
    list,
    required,
    nullIsAbsent: false,
    meta: { kind: "argument" },
    ...(description === undefined ? {} : { description }),
  };
}
