/**
 * What a remote server offers, as texts that can be compared: from its answer to the introspection query, whose shape
 * nobody has checked.
 */
import { isObject } from "../values/is-object.ts";

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

/** What is gone or changed can fail requests; so do arguments that every request has to give. All else is harmless. */
export function remoteDrift(expected: RemoteFacts, found: RemoteFacts): RemoteDrift {
  const harmless: string[] = [];
  const harmful: string[] = [];
  for (const [part, text] of Object.entries(expected)) {
    if (!Object.hasOwn(found, part)) harmful.push(`${part} is missing (was: ${text})`);
    else if (found[part] !== text) harmful.push(`${part} is ${found[part]}, was ${text}`);
  }
  for (const [part, text] of Object.entries(found)) {
    if (Object.hasOwn(expected, part)) continue;
    const owner = part.replace(/(?:\(.*|\.[^.]*)$/, "");
    const isRequired = text.endsWith(isRequiredInput) && Object.hasOwn(expected, owner);
    (isRequired ? harmful : harmless).push(`${part} was added (${text})`);
  }
  return { harmless: harmless.sort(), harmful: harmful.sort() };
}

const isRequiredInput = "! (required)";

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
