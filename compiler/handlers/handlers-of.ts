/**
 * Builds the handlers of an analysis. Names and files depend only on the metadata, so equal metadata always has equal
 * handlers.
 */

import { isObject } from "../../runtime/values/is-object.ts";
import { isJsonNumber } from "../../runtime/values/json-number.ts";
import type { Analysis, AnalyzedSource } from "../2-analyze/analysis.ts";
import type { AnalyzedEventTrigger, AnalyzedTable } from "../2-analyze/analyzed-table.ts";
import { secretsOf } from "../2-analyze/rules/environment.ts";
import { fileName } from "../4-emit/file-names.ts";
import { identifier } from "../4-emit/identifiers.ts";
import type { JsonObject } from "../catalog/model.ts";
import type { Action, CronTrigger } from "../catalog/outside-sources.ts";
import type { JsonType } from "../dialects/json-type.ts";
import { eventRows } from "./event-rows.ts";
import { type GraphqlTypes, membersOf, typeOfText } from "./graphql-types.ts";
import type { DeclaredType, Handler, Handlers } from "./handlers.ts";
import { actionPayload, cronPayload, eventPayload } from "./payloads.ts";

export interface HandlerOptions {
  /** JSON types of custom scalars; `unknown` for scalars without an entry. */
  readonly scalars: ReadonlyMap<string, ScalarChoice>;
}

export type ScalarChoice = "string" | "number" | "boolean" | "unknown";

/** Returns true if a transform changes the body, which then does not have the declared type. */
const changesBody = (transform: JsonObject | undefined): boolean =>
  transform !== undefined && transform.body !== undefined && transform.body !== null;

export function handlersOf(analysis: Analysis, options: HandlerOptions): Handlers {
  const names = new ModuleNames();
  const types: DeclaredType[] = [];
  const declare = (type: DeclaredType): string => {
    types.push(type);
    return type.name;
  };
  const graphql = declareCustomTypes(analysis, options, names, declare);
  const actionNames = [...analysis.actions.keys()];
  const context = { names, declare, graphql, actionNames };
  const handlers = [
    ...[...analysis.actions.values()].map((action) => actionHandler(action, context)),
    ...[...analysis.sources.values()].flatMap((source) => eventHandlers(source, analysis, context)),
    ...cronHandlers(analysis, context),
  ];
  return { types: types.sort((a, b) => (a.name < b.name ? -1 : 1)), handlers };
}

interface Context {
  readonly names: ModuleNames;
  readonly declare: (type: DeclaredType) => string;
  readonly graphql: GraphqlTypes;
  readonly actionNames: readonly string[];
}

// ---------------------------------------------------------------- custom types

function declareCustomTypes(
  { customTypes: custom }: Analysis,
  options: HandlerOptions,
  names: ModuleNames,
  declare: Context["declare"],
): GraphqlTypes {
  const { scalars, enums, input_objects, objects } = custom;
  const known = new Map(
    [...scalars, ...enums, ...input_objects, ...objects].map(({ name }) => [name, names.take(name)]),
  );
  const nameOf = (type: string): string => known.get(type) ?? type;
  const types = { custom, nameOf };
  const about = (name: string, kind: string, description = "") => ({
    name: nameOf(name),
    comment: description === "" ? `The ${kind} ${name}.` : description,
  });
  for (const { name, description } of scalars) {
    const type: JsonType = { kind: options.scalars.get(name) ?? "unknown" };
    declare({ ...about(name, "scalar", description), type, isSent: true });
  }
  for (const { name, description, values } of enums) {
    const type: JsonType = { kind: "enum", values: values.map(({ value }) => value) };
    declare({ ...about(name, "enum", description), type, isSent: true });
  }
  for (const { name, description, fields } of input_objects) {
    const type: JsonType = { kind: "object", members: membersOf(fields, types, "sent") };
    declare({ ...about(name, "input type", description), type, isSent: true });
  }
  for (const { name, description, fields } of objects) {
    const type: JsonType = { kind: "object", members: membersOf(fields, types, "answered") };
    declare({ ...about(name, "output type", description), type, isSent: false });
  }
  return types;
}

// ---------------------------------------------------------------- actions

function actionHandler({ name, definition }: Action, { names, declare, graphql, actionNames }: Context): Handler {
  const { request_transform, response_transform, output_type, kind } = definition;
  const label = `action ${name}`;
  const members = membersOf(definition.arguments ?? [], graphql, "sent");
  const payload = changesBody(request_transform)
    ? null
    : declare({
        name: names.take(`${pascalCase(name)}Payload`),
        comment: `Payload for the handler of ${label}.`,
        type: actionPayload(name, { kind: "object", members }, { isAsynchronous: kind === "asynchronous" }),
        isSent: true,
      });
  return {
    kind: "action",
    name,
    label,
    ...functionNames(name, names),
    path: `actions/${handlerFile(name, actionNames)}`,
    payload,
    result: changesBody(response_transform) ? { kind: "unknown" } : typeOfText(output_type, graphql, "answered"),
    secrets: secretsOf(definition),
  };
}

function functionNames(name: string, names: ModuleNames): Pick<Handler, "functionName" | "localName"> {
  const own = functionName(name);
  return { functionName: own, localName: names.take(own) };
}

// ---------------------------------------------------------------- event triggers

function eventHandlers(source: AnalyzedSource, analysis: Analysis, context: Context): readonly Handler[] {
  const all = [...source.tables.values()].flatMap((table) =>
    [...table.eventTriggers.values()].map((trigger) => ({ table, trigger })),
  );
  const triggerNames = all.map(({ trigger }) => trigger.trigger.name);
  return all
    .sort((a, b) => (a.trigger.trigger.name < b.trigger.trigger.name ? -1 : 1))
    .map(({ table, trigger }) => eventHandler({ source, table, trigger, analysis, triggerNames }, context));
}

interface EventParts {
  readonly source: AnalyzedSource;
  readonly table: AnalyzedTable;
  readonly trigger: AnalyzedEventTrigger;
  readonly analysis: Analysis;
  readonly triggerNames: readonly string[];
}

function eventHandler({ source, table, trigger, analysis, triggerNames }: EventParts, context: Context): Handler {
  const { names, declare } = context;
  const { name, request_transform } = trigger.trigger;
  const label = `event trigger ${name}`;
  const base = pascalCase(name);
  const named = { schema: table.table.table.schema, name: table.table.table.name };
  const declareRow = (suffix: string, type: JsonType): JsonType => {
    const comment = `A row of ${table.displayName} in events of ${label}.`;
    return { kind: "named", name: declare({ name: names.take(`${base}${suffix}`), comment, type, isSent: true }) };
  };
  const variants = changesBody(request_transform)
    ? null
    : eventRows(table, trigger, source, analysis.options.stringifyNumbers ?? false, declareRow);
  const payload =
    variants === null
      ? null
      : declare({
          name: names.take(`${base}Payload`),
          comment: `Payload for the handler of ${label}.`,
          type: eventPayload({ trigger: name, table: named, variants }),
          isSent: true,
        });
  return {
    kind: "event",
    name,
    source: source.name,
    table: named,
    label,
    ...functionNames(name, names),
    path: `events/${fileName([source.name])}/${handlerFile(name, triggerNames)}`,
    payload,
    result: null,
    secrets: secretsOf(trigger.trigger),
  };
}

// ---------------------------------------------------------------- cron triggers

/** Builds handlers for cron triggers that call a webhook. */
function cronHandlers({ cronTriggers }: Analysis, context: Context): readonly Handler[] {
  const called = [...cronTriggers.values()].filter(({ operation }) => operation === undefined);
  return called.map((trigger) => cronHandler(trigger, called, context));
}

function cronHandler(trigger: CronTrigger, all: readonly CronTrigger[], { names, declare }: Context): Handler {
  const { name, payload = null, request_transform } = trigger;
  const label = `cron trigger ${name}`;
  return {
    kind: "cron",
    name,
    label,
    ...functionNames(name, names),
    path: `crons/${handlerFile(
      name,
      all.map((each) => each.name),
    )}`,
    payload: changesBody(request_transform)
      ? null
      : declare({
          name: names.take(`${pascalCase(name)}Payload`),
          comment: `Payload for the handler of ${label}.`,
          type: cronPayload(name, typeOfValue(payload)),
          isSent: true,
        }),
    result: null,
    secrets: secretsOf(trigger),
  };
}

// Returns the type of a JSON value in the metadata.

function typeOfValue(value: unknown): JsonType {
  if (value === null) return { kind: "null" };
  if (typeof value === "string") return { kind: "string" };
  if (typeof value === "boolean") return { kind: "boolean" };
  if (isJsonNumber(value)) return { kind: "number" };
  if (Array.isArray(value)) return { kind: "list", item: unionOf(value.map(typeOfValue)) };
  if (!isObject(value)) return { kind: "unknown" };
  return {
    kind: "object",
    members: Object.entries(value).map(([name, member]) => ({ name, type: typeOfValue(member) })),
  };
}

/** Returns the union of the distinct types; `unknown` for an empty list. */
function unionOf(types: readonly JsonType[]): JsonType {
  const distinct = [...new Map(types.map((type) => [JSON.stringify(type), type])).values()];
  const [only] = distinct;
  if (only === undefined) return { kind: "unknown" };
  return distinct.length === 1 ? only : { kind: "union", of: distinct };
}

/** Names that the generated module declares itself, and global names of JavaScript. */
export const takenNames: readonly string[] = [
  "z float numberOrText ownMembers handlers SessionVariables TraceContext DeliveryInfo HandlerContext HandlerErrorOptions " +
    "HandlerError RouterOptions Router Handler Call Answer answer report parsed notSigned signersOf checkSigner handlerFor isNamed decoded isRecord " +
    "isTable failure json define NodeRequest NodeResponse defaultMaximumBytes createRouter headersOf chunksOf kept " +
    "bytesOf bytesOfRead SignedCall SignatureOptions isSigned signatureOf keyOf isSameText",
  "any bigint boolean never null number object string symbol undefined unknown void",
  "Array AsyncGenerator AsyncIterable Boolean Date Error Headers Infinity JSON Map Math NaN Number Object Omit Promise",
  "ReadableStream Readonly ReadonlyMap Record Request Response Set String Symbol TextDecoder TextEncoder TypeError URL",
  "Uint8Array atob btoa console crypto decodeURIComponent fetch globalThis",
].flatMap((names) => names.split(" "));

/** Unique names within one module. */
class ModuleNames {
  readonly #taken = new Set(takenNames);

  take(name: string): string {
    const base = identifier(name);
    let free = base;
    for (let number = 2; this.#taken.has(free); number++) free = `${base}_${number}`;
    this.#taken.add(free);
    return free;
  }
}

const wordsOf = (name: string): readonly string[] => name.split(/[^\p{L}\p{N}$]+/u).filter((word) => word !== "");

const capital = (word: string): string => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;

/** Converts `place_order` to `PlaceOrder`. */
const pascalCase = (name: string): string => wordsOf(name).map(capital).join("");

/** Converts `place_order` to `placeOrder`. */
function functionName(name: string): string {
  const pascal = pascalCase(name);
  return identifier(`${pascal.slice(0, 1).toLowerCase()}${pascal.slice(1)}`);
}

/**
 * Returns the file name of a handler, readable unless it would clash with another name on a case-insensitive file
 * system.
 */
export function handlerFile(name: string, all: readonly string[]): string {
  const readable = readableName(name);
  const lower = readable.toLowerCase();
  const isUnique = all.every((other) => other === name || readableName(other).toLowerCase() !== lower);
  const isPlain = /^[A-Za-z0-9_][A-Za-z0-9_-]{0,100}$/.test(readable) && fileName([lower]) === lower;
  return isPlain && isUnique ? `${readable}.ts` : fileName([name], { extension: ".ts" });
}

const readableName = (name: string): string => name.replace(/[^A-Za-z0-9_]+/g, "-");
