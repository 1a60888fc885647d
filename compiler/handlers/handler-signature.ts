/** Signature of a handler's function: the types in it, and the modules that export them. */
import { posix } from "node:path";
import { docComment } from "../4-emit/comments.ts";
import { propertyKey, stringLiteral } from "../4-emit/escape.ts";
import type { JsonMember, JsonType } from "../dialects/json-type.ts";
import type { DeclaredType, Handler } from "./handlers.ts";

/** Returns the module specifier, as NodeNext and bundlers resolve it. */
export const moduleSpecifier = (from: string, to: string): string => {
  const relative = posix.relative(posix.dirname(from), to).replace(/\.ts$/, ".js");
  return relative.startsWith("../") ? relative : `./${relative}`;
};

export const payloadType = ({ payload }: Handler): string => payload ?? "unknown";

/** Returns the result type; `unknown` if the engine ignores the result. */
export const resultType = ({ result }: Handler): string => (result === null ? "unknown" : typeText(result));

/** Returns the types of the generated module that the signature of a handler contains. */
export function typesInSignature(handler: Handler): readonly string[] {
  const named = (type: JsonType): readonly string[] => {
    switch (type.kind) {
      case "named":
        return [type.name];
      case "list":
        return named(type.item);
      case "nullable":
        return named(type.of);
      default:
        return [];
    }
  };
  return [
    ...(handler.payload === null ? [] : [handler.payload]),
    ...(handler.result ? named(handler.result) : []),
  ].sort();
}

// Prints JSON types as TypeScript types.

const step = "  ";

/** Prints a type that starts on a line with this margin. */
function typeText(type: JsonType, margin = ""): string {
  switch (type.kind) {
    case "string":
    case "boolean":
    case "number":
    case "null":
    case "unknown":
      return type.kind;
    case "float":
      return "number";
    case "number_or_text":
      return "number | string";
    case "literal":
      return stringLiteral(type.value);
    case "enum":
      return type.values.length === 0 ? "never" : type.values.map(stringLiteral).join(" | ");
    case "named":
      return type.name;
    case "list":
      return `readonly ${inParentheses(typeText(type.item, margin))}[]`;
    case "nullable":
      return `${typeText(type.of, margin)} | null`;
    case "union":
      return type.of.map((each) => typeText(each, margin)).join(" | ");
    case "record":
      return `Readonly<Record<string, ${typeText(type.value, margin)}>>`;
    case "object":
      return type.members.length === 0 ? "Readonly<Record<string, never>>" : bodyText(type.members, margin);
  }
}

const inParentheses = (text: string): string => (/^[\w$.]+$/.test(text) ? text : `(${text})`);

/** Prints `{…}` with one line for each member, or on a single line for a single member. */
function bodyText(members: readonly JsonMember[], margin: string, orUndefined = ""): string {
  const inner = margin + step;
  const texts = members.map(({ name, type, optional }) => {
    const more = optional && type.kind !== "unknown" ? orUndefined : "";
    return `readonly ${propertyKey(name)}${optional ? "?" : ""}: ${typeText(type, inner)}${more}`;
  });
  const [only] = texts;
  const isShort = members.length === 1 && members[0]?.comment === undefined && only?.includes("\n") === false;
  if (isShort && margin !== "") return `{ ${only} }`;
  const lines = texts.map((text, i) => {
    const comment = members[i]?.comment;
    return `${comment === undefined ? "" : docComment([comment], inner)}${inner}${text};\n`;
  });
  return `{\n${lines.join("")}${margin}}`;
}

/** Prints the declaration of an exported type. Optional members of results may be `undefined`. */
export function declarationText({ name, type, isSent }: DeclaredType): string {
  if (type.kind !== "object" || type.members.length === 0) return `export type ${name} = ${typeText(type)};\n`;
  return `export interface ${name} ${bodyText(type.members, "", isSent ? "" : " | undefined")}\n`;
}
