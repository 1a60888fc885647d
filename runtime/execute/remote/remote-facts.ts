/**
 * Flattens a remote schema into comparable texts, and compares two versions of it. The input is an introspection result
 * of unchecked shape.
 */
import { isObject } from "../../values/is-object.ts";

/** Types, fields and arguments by path: `Query.book(id)` → `ID!`. */
export type RemoteFacts = Readonly<Record<string, string>>;

/**
 * Flattens a remote schema.
 * @param schema `data.__schema` of the introspection result
 */
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
  /** One line per harmless change. */
  readonly harmless: readonly string[];
  readonly harmful: readonly string[];
}

/**
 * Compares two versions of a remote schema. Removed and changed parts and new required arguments are harmful, because
 * they can fail requests. Everything else is harmless, including results that become non-null and arguments that become
 * optional.
 */
export function remoteDrift(expected: RemoteFacts, found: RemoteFacts): RemoteDrift {
  const harmless: string[] = [];
  const harmful: string[] = [];
  for (const [part, previous] of Object.entries(expected)) {
    const current = Object.hasOwn(found, part) ? found[part] : undefined;
    if (current === undefined) harmful.push(`${part} is missing (was: ${previous})`);
    else if (current !== previous)
      (isCompatible(expected, part, current) ? harmless : harmful).push(`${part} is ${current}, was ${previous}`);
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

/** Returns the field of an argument, or the type of a field. */
const ownerOf = (part: string): string => part.replace(/(?:\(.*|\.[^.]*)$/, "");

/** Returns true if valid requests stay valid with the same meaning and the same results. */
function isCompatible(expected: RemoteFacts, part: string, current: string): boolean {
  const previous = expected[part] ?? "";
  const owner = expected[ownerOf(part)];
  if (part.includes("(") || owner === "INPUT_OBJECT") return acceptsSameValues(inputOf(current), inputOf(previous));
  return (owner === "OBJECT" || owner === "INTERFACE") && isStricter(current, previous);
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

/**
 * Returns true if every accepted value is still accepted and omitting it has the same meaning. A changed default would
 * change the value of an omitted argument.
 */
function acceptsSameValues(current: Input, previous: Input): boolean {
  return (
    isStricter(previous.type, current.type) && (previous.isRequired || current.defaultValue === previous.defaultValue)
  );
}

/** Returns true if `type` equals `other` apart from additional non-null markers. */
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

/** Returns the type in GraphQL syntax, truncated at a depth that no real schema reaches. */
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
