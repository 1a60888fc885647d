/** What a JSON value can be: the types of rows, arguments and answers as programs outside the engine see them. */

export type JsonType =
  /** `format`: which texts there are, for made-up values; it is not checked. */
  | { readonly kind: "string"; readonly format?: TextFormat }
  | { readonly kind: "number"; readonly integer?: true }
  /** A number that JSON has no digits for is a text: `NaN`, `Infinity`, `-Infinity`. */
  | { readonly kind: "float" }
  /** A number, or a text of its digits. */
  | { readonly kind: "number_or_text" }
  | { readonly kind: "boolean" }
  | { readonly kind: "null" }
  | { readonly kind: "unknown" }
  | { readonly kind: "literal"; readonly value: string }
  | { readonly kind: "enum"; readonly values: readonly string[] }
  /** Declared elsewhere. */
  | { readonly kind: "named"; readonly name: string }
  | { readonly kind: "list"; readonly item: JsonType }
  | { readonly kind: "nullable"; readonly of: JsonType }
  | { readonly kind: "union"; readonly of: readonly JsonType[] }
  | { readonly kind: "object"; readonly members: readonly JsonMember[] }
  /** Any keys, each with such a value. */
  | { readonly kind: "record"; readonly value: JsonType };

export type TextFormat = "uuid" | "date" | "time" | "timestamp" | "timestamptz" | "digits" | "decimal" | "base64";

export interface JsonMember {
  readonly name: string;
  readonly type: JsonType;
  /** The member may be absent, which is not the same as null. */
  readonly optional?: true;
  readonly comment?: string;
}

export function nullable(type: JsonType): JsonType {
  return type.kind === "nullable" || type.kind === "unknown" || type.kind === "null"
    ? type
    : { kind: "nullable", of: type };
}
