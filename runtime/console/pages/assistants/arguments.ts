/** The form of a tool's arguments, from the JSON Schema of its input. */
import { isJson } from "../../http/json.ts";
import type { Json, JsonObject } from "../../http/metadata-types.ts";

type ArgumentKind = "text" | "number" | "integer" | "boolean" | "enum" | "date" | "datetime" | "json";

export interface Argument {
  readonly name: string;
  readonly kind: ArgumentKind;
  readonly description: string;
  /** Values of an enum. */
  readonly choices: readonly string[];
  readonly isRequired: boolean;
  readonly isNullable: boolean;
  readonly minimum: number | null;
  readonly maximum: number | null;
  /** JSON text of the default; `null` for none. */
  readonly standard: string | null;
}

/** An entered value. Null is sent as such, also if there is a text. */
export interface Entered {
  readonly text: string;
  readonly isNull: boolean;
}

export const nothing: Entered = { text: "", isNull: false };

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");

/** Returns the arguments in the order of the schema. */
export function argumentsOf(schema: JsonObject): readonly Argument[] {
  const { properties, required } = schema;
  if (!isObject(properties)) return [];
  const names = new Set(Array.isArray(required) ? required : []);
  return Object.entries(properties).map(([name, property]) =>
    argumentOf(name, isObject(property) ? property : {}, { root: schema, isRequired: names.has(name) }),
  );
}

interface Context {
  readonly root: JsonObject;
  readonly isRequired: boolean;
}

function argumentOf(name: string, property: JsonObject, { root, isRequired }: Context): Argument {
  const { schema, isNullable } = resolved(property, root);
  const { enum: values, minimum, maximum } = schema;
  const choices = Array.isArray(values) ? values.filter((value) => typeof value === "string") : [];
  const standard = property.default ?? schema.default;
  return {
    name,
    kind: choices.length > 0 ? "enum" : kindOf(schema),
    description: textOf(property.description) || textOf(schema.description),
    choices,
    isRequired,
    isNullable,
    minimum: typeof minimum === "number" ? minimum : null,
    maximum: typeof maximum === "number" ? maximum : null,
    standard: standard === undefined ? null : JSON.stringify(standard),
  };
}

const reference = "#/$defs/";

/** Follows references, and separates null from the other types. */
function resolved(schema: JsonObject, root: JsonObject): { readonly schema: JsonObject; readonly isNullable: boolean } {
  const { $ref, anyOf, type } = schema;
  if (typeof $ref === "string" && $ref.startsWith(reference) && isObject(root.$defs)) {
    const found = root.$defs[$ref.slice(reference.length)];
    return { schema: isObject(found) ? found : {}, isNullable: false };
  }
  if (Array.isArray(anyOf)) {
    const others = anyOf.filter((each) => isObject(each)).filter((each) => each.type !== "null");
    const [only] = others;
    const found = others.length === 1 && only ? resolved(only, root).schema : {};
    return { schema: found, isNullable: others.length < anyOf.length };
  }
  return { schema, isNullable: Array.isArray(type) && type.includes("null") };
}

/** Types that the field of a number can send. Databases also accept numbers as text. */
const numberTypes: readonly ArgumentKind[] = ["integer", "number"];

function kindOf({ type, format }: JsonObject): ArgumentKind {
  const types = Array.isArray(type) ? type : [type];
  const number = numberTypes.find((each) => types.includes(each));
  if (number) return number;
  if (types.includes("boolean")) return "boolean";
  if (!types.includes("string") || types.includes("object")) return "json";
  return format === "date" ? "date" : format === "date-time" ? "datetime" : "text";
}

const patterns: Readonly<Partial<Record<ArgumentKind, { readonly pattern: RegExp; readonly problem: string }>>> = {
  integer: { pattern: /^-?\d+$/, problem: "Enter a whole number." },
  number: { pattern: /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/, problem: "Enter a number." },
  date: { pattern: /^\d{4,6}-\d\d-\d\d$/, problem: "Enter a date, such as 2026-01-31." },
  datetime: {
    pattern: /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)$/i,
    problem: "Enter a date and time with its offset, such as 2026-01-31T12:00:00Z.",
  },
};

/** Returns the reason that an entered value cannot be sent; `null` if there is none. */
export function problemOf(argument: Argument, { text, isNull }: Entered): string | null {
  const { kind, isRequired, minimum, maximum } = argument;
  if (isNull) return null;
  if (text.trim() === "") return isRequired && kind !== "text" ? "Enter a value." : null;
  const { pattern, problem = null } = patterns[kind] ?? {};
  if (pattern && !pattern.test(text.trim())) return problem;
  if (kind === "json" && !isJson(text)) return "Enter JSON.";
  if (kind !== "integer" && kind !== "number") return null;
  if (minimum !== null && Number(text) < minimum) return `The minimum is ${minimum}.`;
  return maximum !== null && Number(text) > maximum ? `The maximum is ${maximum}.` : null;
}

/** Returns the JSON text of the arguments, in which numbers keep their digits. An empty field is sent only if it is a required text. */
export function argumentsText(all: readonly Argument[], values: Readonly<Record<string, Entered>>): string {
  const members = all.flatMap((argument) => {
    const { text, isNull } = enteredOf(values, argument.name);
    const value = isNull ? "null" : valueText(argument, text);
    return value === null ? [] : [`${JSON.stringify(argument.name)}:${value}`];
  });
  return `{${members.join(",")}}`;
}

/** A variable may have the name of a member that every object inherits. */
export const enteredOf = (values: Readonly<Record<string, Entered>>, name: string): Entered =>
  Object.hasOwn(values, name) ? (values[name] ?? nothing) : nothing;

function valueText({ kind, isRequired }: Argument, text: string): string | null {
  if (kind === "text") return text === "" && !isRequired ? null : JSON.stringify(text);
  const trimmed = text.trim();
  if (trimmed === "") return null;
  const isText = kind === "enum" || kind === "date" || kind === "datetime";
  // JSON has no leading zeros.
  return isText ? JSON.stringify(trimmed) : kind === "integer" ? trimmed.replace(/^(-?)0+(?=\d)/, "$1") : trimmed;
}
