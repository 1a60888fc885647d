/**
 * What a remote server offers, as texts that can be compared: from its answer to the introspection query, whose shape
 * nobody has checked.
 */
import { isObject } from "../../values/is-object.ts";

/** What is there, by the parts of types: `Query.book(id)` → `ID!`. */
export type RemoteFacts = Readonly<Record<string, string>>;

/** @param schema `data.__schema` of the answer */
export function remoteFacts(schema: unknown): RemoteFacts {
  const facts = new Map<string, string>();
  if (!isObject(schema)) return {};
  for (const root of ["queryType", "mutationType", "subscriptionType"]) {
    const name = nameOf(schema[root]);
    if (name !== "") facts.set(root, name);
  }
  for (const type of objectsIn(schema.types)) {
    const name = nameOf(type);
    if (name.startsWith("__")) continue;
    facts.set(name, String(type.kind));
    for (const field of objectsIn(type.fields)) {
      const path = `${name}.${nameOf(field)}`;
      facts.set(path, typeText(field.type));
      for (const argument of objectsIn(field.args)) facts.set(`${path}(${nameOf(argument)})`, inputText(argument));
    }
    for (const field of objectsIn(type.inputFields)) facts.set(`${name}.${nameOf(field)}`, inputText(field));
    for (const value of objectsIn(type.enumValues)) facts.set(`${name}.${nameOf(value)}`, "value");
    for (const other of objectsIn(type.interfaces)) facts.set(`${name} implements ${nameOf(other)}`, "interface");
    if (type.kind === "UNION") {
      for (const member of objectsIn(type.possibleTypes)) facts.set(`${name} | ${nameOf(member)}`, "member");
    }
  }
  return Object.fromEntries(facts);
}

export interface RemoteDrift {
  /** One line each. */
  readonly harmless: readonly string[];
  readonly harmful: readonly string[];
}

/**
 * What is gone or changed can fail requests; so do arguments that every request has to give. All else is harmless: also
 * values that are not null any more, and arguments that are not required any more.
 */
export function remoteDrift(expected: RemoteFacts, found: RemoteFacts): RemoteDrift {
  const harmless: string[] = [];
  const harmful: string[] = [];
  for (const [part, was] of Object.entries(expected)) {
    const is = Object.hasOwn(found, part) ? found[part] : undefined;
    if (is === undefined) harmful.push(`${part} is missing (was: ${was})`);
    else if (is !== was) (isCompatible(expected, part, is) ? harmless : harmful).push(`${part} is ${is}, was ${was}`);
  }
  for (const [part, text] of Object.entries(found)) {
    if (Object.hasOwn(expected, part)) continue;
    const owner = ownerOf(part);
    const isRequired = text.endsWith(isRequiredInput) && Object.hasOwn(expected, owner);
    (isRequired ? harmful : harmless).push(`${part} was added (${text})`);
  }
  return { harmless: harmless.sort(), harmful: harmful.sort() };
}

const isRequiredInput = "! (required)";

/** The field of an argument, the type of a field. */
const ownerOf = (part: string): string => part.replace(/(?:\(.*|\.[^.]*)$/, "");

/** Whether requests that were valid still are, with the same meaning, and answers are what they were. */
function isCompatible(expected: RemoteFacts, part: string, is: string): boolean {
  const was = expected[part] ?? "";
  const owner = expected[ownerOf(part)];
  if (part.includes("(") || owner === "INPUT_OBJECT") return takesAsMuch(inputOf(is), inputOf(was));
  return (owner === "OBJECT" || owner === "INTERFACE") && isStricter(is, was);
}

interface Input {
  readonly type: string;
  readonly isRequired: boolean;
  readonly defaultValue: string | undefined;
}

function inputOf(text: string): Input {
  const [, type = "", defaultValue] = /^(.*?)(?: = (.*))?$/s.exec(text) ?? [];
  const isRequired = text.endsWith(isRequiredInput);
  return { type: isRequired ? type.slice(0, -" (required)".length) : type, isRequired, defaultValue };
}

/** Another default would be another value where none is given. */
function takesAsMuch(is: Input, was: Input): boolean {
  return isStricter(was.type, is.type) && (was.isRequired || is.defaultValue === was.defaultValue);
}

/** Whether a type is the other, but for values that it says are not null. */
function isStricter(type: string, other: string): boolean {
  let at = 0;
  for (const character of type) {
    if (character === other[at]) at++;
    else if (character !== "!") return false;
  }
  return at === other.length;
}

function inputText(input: Readonly<Record<string, unknown>>): string {
  const type = typeText(input.type);
  if (typeof input.defaultValue === "string") return `${type} = ${input.defaultValue}`;
  return type.endsWith("!") ? `${type} (required)` : type;
}

/** In GraphQL; deeper types than anybody writes are cut. */
function typeText(type: unknown, depth = 0): string {
  if (!isObject(type) || depth > 32) return "?";
  if (type.kind === "NON_NULL") return `${typeText(type.ofType, depth + 1)}!`;
  if (type.kind === "LIST") return `[${typeText(type.ofType, depth + 1)}]`;
  return nameOf(type);
}

function nameOf(value: unknown): string {
  return isObject(value) && typeof value.name === "string" ? value.name : "";
}

function objectsIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter((item) => isObject(item)) : [];
}
