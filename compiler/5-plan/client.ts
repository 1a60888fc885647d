/**
 * `client.ts`: the saved operations for programs that ask them, as documents with the types of their variables and
 * results. GraphQL clients that know `TypedDocumentNode` take them as they are.
 */
import { parse } from "graphql";
import type { InputTypeDef, OutputTypeDef } from "../../runtime/model/schema/types.ts";
import type { SavedQuery } from "../2-analyze/analysis.ts";
import { lowerSavedOperation } from "../3-lower/saved-operations.ts";
import { docComment, headerText } from "../4-emit/comments.ts";
import { propertyKey, stringLiteral } from "../4-emit/escape.ts";
import { identifier } from "../4-emit/identifiers.ts";
import type { DescribedOperation, ResultField } from "./describe-operation.ts";

export interface ClientOperation {
  readonly saved: SavedQuery;
  readonly described: DescribedOperation;
}

export interface ClientSettings {
  /** Whether wide numbers come as strings (`graphql-api.md` 3.3). */
  readonly stringifyNumbers: boolean;
}

/** @param operations in order */
export function emitClient(operations: readonly ClientOperation[], settings: ClientSettings, slice: string): string {
  const writer = new ClientWriter(settings);
  const parts = operations.map((operation) => writer.operation(operation));
  const header = headerText("//", { from: "query collections, as admin sees their types", slice });
  const typed = 'import type { TypedDocumentNode } from "@graphql-typed-document-node/core";\n';
  return [`${header}${typed}`, ...parts, ...writer.inputs()].join("\n");
}

/** What JSON has for scalars; those that are not here can be anything. */
const scalars: Readonly<Record<string, "number" | "wide" | "boolean" | "string">> = {
  Int: "number",
  smallint: "number",
  Float: "number",
  bigint: "wide",
  float8: "wide",
  numeric: "wide",
  Boolean: "boolean",
  String: "string",
  ID: "string",
  citext: "string",
  bpchar: "string",
  uuid: "string",
  date: "string",
  time: "string",
  timetz: "string",
  timestamp: "string",
  timestamptz: "string",
};

class ClientWriter {
  readonly #settings: ClientSettings;
  readonly #names = new Set<string>();
  /** By the name of the GraphQL type; `null`: is being written. */
  readonly #inputs = new Map<string, { readonly name: string; text: string | null }>();

  constructor(settings: ClientSettings) {
    this.#settings = settings;
  }

  operation({ saved, described }: ClientOperation): string {
    const { variables, operationName } = lowerSavedOperation(saved);
    const name = this.#take(pascalCase(operationName ?? saved.name));
    const members = variables.map(({ name: variable, type, ...more }) => {
      const optional = "default" in more || !type.endsWith("!") ? "?" : "";
      const known = described.variables.get(variable)?.[0];
      return `  readonly ${propertyKey(variable)}${optional}: ${this.#variable(type, known)};\n`;
    });
    const document = JSON.stringify(parse(saved.query, { noLocation: true }), null, 2);
    const label = `query ${saved.name} of collection ${saved.collection}`;
    return [
      docComment([`Variables of ${label}.`]),
      members.length === 0
        ? `export type ${name}Variables = Readonly<Record<string, never>>;\n\n`
        : `export interface ${name}Variables {\n${members.join("")}}\n\n`,
      docComment([`The answer of ${label}.`]),
      `export interface ${name}Result ${this.#object(described.fields, "")}\n\n`,
      docComment([capital(label)]),
      `export const ${name}Document = ${literal(JSON.parse(document), "")} as unknown as `,
      `TypedDocumentNode<${name}Result, ${name}Variables>;\n`,
    ].join("");
  }

  /** The types of inputs that variables have. */
  inputs(): readonly string[] {
    return [...this.#inputs.values()].flatMap(({ text }) => text ?? []);
  }

  #variable(type: string, known: InputTypeDef | undefined): string {
    const bare = type.replace(/!$/, "");
    const orNull = type.endsWith("!") ? "" : " | null";
    if (bare.startsWith("[")) return `readonly (${this.#variable(bare.slice(1, -1), known)})[]${orNull}`;
    return `${this.#input(known ?? { kind: "scalar", name: bare })}${orNull}`;
  }

  #input(type: InputTypeDef): string {
    switch (type.kind) {
      case "scalar":
        if (type.enumeration) return union([...type.enumeration.values.keys()]);
        // Whatever the database reads as such a value: texts for all of them.
        return scalars[type.name] === "wide" ? "number | string" : this.#scalar(type.name);
      case "enum":
        return union([...type.values.keys()]);
      case "input":
        return this.#inputName(type);
    }
  }

  #inputName(type: Extract<InputTypeDef, { kind: "input" }>): string {
    const known = this.#inputs.get(type.name);
    if (known) return known.name;
    const entry = { name: this.#take(pascalCase(type.name)), text: null as string | null };
    this.#inputs.set(type.name, entry);
    const members = [...type.fields()].map(([key, field]) => {
      const item = this.#input(field.type());
      const list = `readonly (${item}${field.nullableItems ? " | null" : ""})[]`;
      const optional = field.required && field.defaultValue === undefined ? "" : "?";
      return `  readonly ${propertyKey(key)}${optional}: ${field.list ? list : item}${field.required ? "" : " | null"};\n`;
    });
    const comment = docComment(type.description === undefined ? [] : [type.description]);
    entry.text = `${comment}export interface ${entry.name} {\n${members.join("")}}\n`;
    return entry.name;
  }

  #object(fields: readonly ResultField[], margin: string): string {
    if (fields.length === 0) return "Record<string, never>";
    const inner = `${margin}  `;
    const members = fields.map((field) => {
      const item = this.#output(field.type, field.fields, inner);
      const list = `readonly (${item}${field.nullableItems ? " | null" : ""})[]`;
      const value = `${field.list ? list : item}${field.required ? "" : " | null"}`;
      return `${inner}readonly ${propertyKey(field.key)}${field.conditional ? "?" : ""}: ${value};\n`;
    });
    return `{\n${members.join("")}${margin}}`;
  }

  #output(type: OutputTypeDef, fields: readonly ResultField[], margin: string): string {
    switch (type.kind) {
      case "scalar":
        return type.enumeration ? union([...type.enumeration.values.keys()]) : this.#scalar(type.name);
      case "enum":
        return union([...type.values.keys()]);
      case "object":
        return this.#object(fields, margin);
      default:
        // Which object it is decides what it has.
        return "Readonly<Record<string, unknown>>";
    }
  }

  #scalar(name: string): string {
    const known = Object.hasOwn(scalars, name) ? scalars[name] : undefined;
    if (known === "wide") return this.#settings.stringifyNumbers ? "string" : "number";
    return known ?? "unknown";
  }

  #take(name: string): string {
    const base = identifier(name);
    let free = base;
    for (let number = 2; this.#names.has(free); number++) free = `${base}_${number}`;
    this.#names.add(free);
    return free;
  }
}

function pascalCase(name: string): string {
  return name
    .split(/[^\p{L}\p{N}$]+/u)
    .filter((word) => word !== "")
    .map(capital)
    .join("");
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

function union(values: readonly string[]): string {
  return values.length === 0 ? "never" : values.map(stringLiteral).join(" | ");
}

/** A JSON value as code, a member a line. */
function literal(value: unknown, margin: string): string {
  if (typeof value === "string") return stringLiteral(value);
  if (typeof value !== "object" || value === null) return String(value);
  const inner = `${margin}  `;
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    return `[\n${value.map((item) => `${inner}${literal(item, inner)},\n`).join("")}${margin}]`;
  }
  const members = Object.entries(value).map(([key, item]) => `${inner}${propertyKey(key)}: ${literal(item, inner)},\n`);
  return `{\n${members.join("")}${margin}}`;
}
