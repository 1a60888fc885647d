/** Prints a role's schema as SDL: types sorted by name, fields in schema order. */

import { runToCompletion } from "../../values/interruptible.ts";
import { interfacesOf, reachableTypes, type TypeDef } from "./reachable-types.ts";
import type { RoleSchema } from "./role-schema.ts";
import {
  type AbstractTypeDef,
  type EnumTypeDef,
  type InputField,
  type InputObjectTypeDef,
  type ObjectTypeDef,
  typeText,
} from "./types.ts";

/** Prints the schema definition and all reachable types. */
export function printSchema(schema: RoleSchema): string {
  return printDefinitions(schema, printType);
}

/** Prints the schema for a gateway of Apollo Federation: entities with their keys, without the gateway fields. */
export function printSubgraph(schema: RoleSchema): string {
  const { query } = schema;
  const fields = () => new Map([...query.fields()].filter(([name]) => name !== "_service" && name !== "_entities"));
  return printDefinitions({ ...schema, query: { ...query, fields } }, (type) =>
    type.kind === "object" && type.key
      ? printObject(type, ` @key(fields: ${JSON.stringify(type.key.join(" "))})`)
      : printType(type),
  );
}

function printDefinitions(schema: RoleSchema, print: (type: TypeDef) => string): string {
  const { query, mutation, subscription } = schema;
  const roots = Object.entries({ query, mutation, subscription }).flatMap(([operation, type]) =>
    type === null ? [] : [{ operation, type }],
  );
  const types = [...runToCompletion(reachableTypes(schema)).values()]
    .filter(({ kind, name }) => kind !== "scalar" || !builtIn.has(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const operations = roots.map(({ operation, type }) => `  ${operation}: ${type.name}\n`);
  return [`schema {\n${operations.join("")}}\n`, ...types.map(print)].join("\n");
}

const builtIn = new Set(["Boolean", "Float", "ID", "Int", "String"]);

function printType(type: TypeDef): string {
  switch (type.kind) {
    case "scalar":
      return type.enumeration
        ? printEnum(type.enumeration)
        : `${printDescription(type.description, "")}scalar ${type.name}\n`;
    case "enum":
      return printEnum(type);
    case "input":
      return printInput(type);
    case "object":
    case "interface":
      return printObject(type);
    case "union":
      return `${printDescription(type.description, "")}union ${type.name} = ${[...type.types().keys()].join(" | ")}\n`;
  }
}

type PrintedEnum = Pick<EnumTypeDef, "name" | "description"> & {
  readonly values: ReadonlyMap<string, { readonly description?: string; readonly deprecation?: string }>;
};

function printEnum({ name, description, values }: PrintedEnum): string {
  const lines = [...values].map(
    ([value, { description, deprecation }]) =>
      `${printDescription(description, "  ")}  ${value}${deprecated(deprecation)}\n`,
  );
  return `${printDescription(description, "")}enum ${name}${block(lines)}`;
}

function printInput({ name, description, fields, isOneOf }: InputObjectTypeDef): string {
  const lines = [...fields()].map(
    ([field, definition]) => `${printDescription(definition.description, "  ")}  ${inputText(field, definition)}\n`,
  );
  return `${printDescription(description, "")}input ${name}${isOneOf ? " @oneOf" : ""}${block(lines)}`;
}

function printObject(type: ObjectTypeDef | AbstractTypeDef, directives = ""): string {
  const lines = [...type.fields()].map(
    ([field, definition]) =>
      `${printDescription(definition.description?.(), "  ")}  ${field}${printArguments(definition.args())}: ${typeText(definition)}${deprecated(definition.deprecation)}\n`,
  );
  const keyword = type.kind === "object" ? "type" : "interface";
  const general = interfacesOf(type).map(({ name }) => name);
  const implemented = general.length === 0 ? "" : ` implements ${general.join(" & ")}`;
  return `${printDescription(type.description, "")}${keyword} ${type.name}${implemented}${directives}${block(lines)}`;
}

function block(lines: readonly string[]): string {
  return lines.length === 0 ? "\n" : ` {\n${lines.join("")}}\n`;
}

function printArguments(args: ReadonlyMap<string, InputField>): string {
  if (args.size === 0) return "";
  if ([...args.values()].every(({ description }) => description === undefined)) {
    return `(${[...args].map(([name, argument]) => inputText(name, argument)).join(", ")})`;
  }
  const lines = [...args].map(
    ([name, argument]) => `${printDescription(argument.description, "    ")}    ${inputText(name, argument)}\n`,
  );
  return `(\n${lines.join("")}  )`;
}

function inputText(name: string, field: InputField): string {
  const standard = field.defaultValue === undefined ? "" : ` = ${field.defaultValue}`;
  return `${name}: ${typeText(field)}${standard}${deprecated(field.deprecation)}`;
}

function deprecated(reason: string | undefined): string {
  return reason === undefined ? "" : ` @deprecated(reason: ${quoted(reason)})`;
}

/** Characters that GraphQL text does not allow, or that are invisible. */
const needsEscape = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;

/** Prints a description on the lines before its subject. */
function printDescription(description: string | undefined, margin: string): string {
  if (description === undefined) return "";
  const lines = description.split("\n");
  // Lines that a block string cannot represent exactly.
  const isPlain = lines.every((line) => !needsEscape.test(line) && line === line.trim());
  const isBlock =
    isPlain && description !== "" && !description.includes('"""') && lines[0] !== "" && lines.at(-1) !== "";
  if (!isBlock) return `${margin}${quoted(description)}\n`;
  if (lines.length === 1 && !/["\\]$/.test(description)) return `${margin}"""${description}"""\n`;
  return `${margin}"""\n${lines.map((line) => (line === "" ? "\n" : `${margin}${line}\n`)).join("")}${margin}"""\n`;
}

/** Prints a string with escapes. An unpaired surrogate becomes U+FFFD. */
function quoted(text: string): string {
  const wellFormed = text.replace(/\p{Cs}/gu, "\ufffd");
  return JSON.stringify(wellFormed).replace(new RegExp(needsEscape, "gu"), escaped);
}

function escaped(character: string): string {
  return [...Array(character.length).keys()]
    .map((i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`)
    .join("");
}
