/** JSON types → TypeScript types. */

import { docComment } from "../4-emit/comments.ts";
import { propertyKey, stringLiteral } from "../4-emit/escape.ts";
import type { JsonMember, JsonType } from "../dialects/json-type.ts";
import type { DeclaredType } from "./handlers.ts";

const step = "  ";

/** The type as code that begins on a line with this margin. */
export function typeText(type: JsonType, margin = ""): string {
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

/** `{…}` with a line for each member; a single one stands on the same line. */
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

/** The declaration of a type that the module exports. Programs may give `undefined` for what they leave out. */
export function declarationText({ name, type, isSent }: DeclaredType): string {
  if (type.kind !== "object" || type.members.length === 0) return `export type ${name} = ${typeText(type)};\n`;
  return `export interface ${name} ${bodyText(type.members, "", isSent ? "" : " | undefined")}\n`;
}
