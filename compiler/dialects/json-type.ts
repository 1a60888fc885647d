/** JSON types of rows, arguments and responses, as seen by external programs. */

export type JsonType =
  /** `format` describes the text for generated examples; it is not validated. */
  | { readonly kind: "string"; readonly format?: TextFormat }
  | { readonly kind: "number"; readonly integer?: true }
  /** A number, or one of the texts `NaN`, `Infinity` and `-Infinity`, which JSON cannot represent as numbers. */
  | { readonly kind: "float" }
  /** A number, or its digits as text. */
  | { readonly kind: "number_or_text" }
  | { readonly kind: "boolean" }
  | { readonly kind: "null" }
  | { readonly kind: "unknown" }
  | { readonly kind: "literal"; readonly value: string }
  | { readonly kind: "enum"; readonly values: readonly string[] }
  /** A type declared by name. */
  | { readonly kind: "named"; readonly name: string }
  | { readonly kind: "list"; readonly item: JsonType }
  | { readonly kind: "nullable"; readonly of: JsonType }
  | { readonly kind: "union"; readonly of: readonly JsonType[] }
  | { readonly kind: "object"; readonly members: readonly JsonMember[] }
  /** Any keys, with values of one type. */
  | { readonly kind: "record"; readonly value: JsonType };

export type TextFormat = "uuid" | "date" | "time" | "timestamp" | "timestamptz" | "digits" | "decimal" | "base64";

export interface JsonMember {
  readonly name: string;
  readonly type: JsonType;
  /** The key may be absent, which differs from null. */
  readonly optional?: true;
  readonly comment?: string;
}

export function nullable(type: JsonType): JsonType {
  return type.kind === "nullable" || type.kind === "unknown" || type.kind === "null"
    ? type
    : { kind: "nullable", of: type };
}
