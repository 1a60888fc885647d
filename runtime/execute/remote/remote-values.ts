/**
 * Reads the response of a remote schema into the values of the requested fields (`docs/how-to/remote-schemas.md`).
 */

import { type RemoteSchema, upstreamType } from "../../model/definitions/remote/remote-schema.ts";
import type {
  RemoteField,
  RemoteNode,
  RemotePlan,
  TypenamePlaces,
} from "../../model/planner/request/remote/remote-request.ts";
import { type Interruptible, runInSlices, runToCompletion } from "../../values/interruptible.ts";
import { isObject } from "../../values/is-object.ts";
import {
  CanonicalForms,
  type Form,
  listForm,
  nullOr,
  objectForm,
  scalarForm,
} from "../../values/json/canonical-form.ts";
import { readJson } from "../../values/json/parse.ts";
import { JsonScanner, NotJson } from "../../values/json/scanner.ts";
import { stringifyJson } from "../../values/json-number.ts";
import { RemoteErrors, remoteError } from "./remote-errors.ts";

/** JSON texts by key. */
export type RemoteValues = ReadonlyMap<string, string>;

/** Length in characters. Shorter responses are read in less than a millisecond. */
const minLongResponse = 65_536;

/**
 * Reads a response. Long responses are read in slices that yield to the event loop.
 * @param prioritizeData if true, errors are dropped when there is data
 * @returns a promise for long responses
 * @throws EngineError `remote-schema-error`; `RemoteErrors` with the errors of the response. A promise rejects with
 * them.
 */
export function remoteValues(
  text: string,
  plan: RemotePlan,
  prioritizeData: boolean,
): RemoteValues | Promise<RemoteValues> {
  const usual = usualValue(plan, text);
  if (usual !== undefined) return new Map([[plan.fields[0]?.key ?? "", usual]]);
  const reading = readValues(text, plan, prioritizeData);
  return text.length < minLongResponse ? runToCompletion(reading) : runInSlices(reading);
}

function* readValues(text: string, plan: RemotePlan, prioritizeData: boolean): Interruptible<RemoteValues> {
  const { data, errors } = yield* readable(text);
  if (errors !== undefined && data === null) throw new RemoteErrors(errors);
  if (errors !== undefined && !prioritizeData) throw new RemoteErrors(errors, () => namedValues(data, plan));
  const values = yield* namedValues(data, plan);
  if (values === undefined) throw remoteError(`expecting key ${plan.fields.find(({ key }) => !data?.has(key))?.key}`);
  return values;
}

/** Returns the values of the fields with the role's names of types; `undefined` if a field is missing. */
function* namedValues(data: RemoteResponse["data"], plan: RemotePlan): Interruptible<RemoteValues | undefined> {
  const values = new Map<string, string>();
  for (const { key, typenames } of plan.fields) {
    const value = data?.get(key);
    if (value === undefined) return undefined;
    values.set(key, typenames ? yield* renameTypenames(value, plan.remote, typenames) : value);
  }
  return values;
}

function* readable(text: string): Interruptible<RemoteResponse> {
  try {
    return yield* readResponse(text);
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    throw remoteError(`the response of the remote server is not a JSON object: ${error.message}`, undefined, error);
  }
}

// A response as text: the values of its fields, and its errors.

interface RemoteResponse {
  /** The fields of `data` as JSON texts by response key; `null` without data. */
  readonly data: ReadonlyMap<string, string> | null;
  /** The `errors` of the response as JSON text: a non-empty list, or any other value except null. */
  readonly errors?: string;
}

const openBrace = 123;

/**
 * Reads a response.
 * @throws NotJson
 */
export function* readResponse(text: string): Interruptible<RemoteResponse> {
  const scanner = new JsonScanner(text);
  if (scanner.next() !== openBrace) throw new NotJson("expected an object", 0, "expected an object");
  let data: ReadonlyMap<string, string> | null = null;
  let errors = "null";
  for (let key = scanner.firstKey(); key !== undefined; key = scanner.nextKey()) {
    if (key === "data" && scanner.next() === openBrace) {
      data = yield* readFields(text, scanner);
    } else {
      const { from, to } = yield* scanner.value();
      if (key === "errors") errors = text.slice(from, to);
    }
  }
  scanner.end();
  return errors === "null" || /^\[\s*\]$/.test(errors) ? { data } : { data, errors };
}

function* readFields(text: string, scanner: JsonScanner): Interruptible<ReadonlyMap<string, string>> {
  const fields = new Map<string, string>();
  for (let key = scanner.firstKey(); key !== undefined; key = scanner.nextKey()) {
    const { from, to } = yield* scanner.value();
    fields.set(key, text.slice(from, to));
  }
  return fields;
}

// Renames types in a response to the role's names.

/**
 * Renames the types in a value.
 * @param text the value of a field, well-formed JSON
 */
function* renameTypenames(text: string, remote: RemoteSchema, places: TypenamePlaces): Interruptible<string> {
  const value = yield* readJson(text);
  yield* rename(value, namesOf(remote), places);
  return stringifyJson(value);
}

type Names = ReadonlyMap<string, string>;

const typeNames = new WeakMap<RemoteSchema, Names>();

/** Returns the role's names of types by the server's names. */
function namesOf(remote: RemoteSchema): Names {
  let names = typeNames.get(remote);
  if (names === undefined) {
    const types = remote.document().definitions.flatMap((node) => ("name" in node && node.name ? node.name.value : []));
    names = new Map(types.map((type) => [upstreamType(remote, type), type]));
    typeNames.set(remote, names);
  }
  return names;
}

function* rename(value: unknown, names: Names, places: TypenamePlaces): Interruptible<void> {
  if (Array.isArray(value)) {
    for (const item of value) {
      yield* rename(item, names, places);
      yield;
    }
  } else if (isObject(value)) {
    const object: Record<string, unknown> = value;
    for (const [key, place] of places) {
      const member = object[key];
      if ("unknown" in place) {
        if (typeof member === "string") object[key] = names.get(member) ?? place.unknown;
      } else if (member !== undefined) yield* rename(member, names, place);
    }
  }
}

// Fast path for the usual form of a response: one field, with its selected members in the order of the selection.

const forms = new CanonicalForms<RemotePlan>(responseForm);

/** Returns the text of the only field of a response in the usual form; `undefined` if the response must be parsed. */
export function usualValue(plan: RemotePlan, text: string): string | undefined {
  if (!forms.matches(plan, text)) return undefined;
  return text.slice(`{"data":{"${plan.fields[0]?.key}":`.length, -"}}".length);
}

function responseForm({ fields }: RemotePlan): Form {
  const [field, ...others] = fields;
  if (field?.selected === undefined || field.typenames !== undefined || others.length > 0) return undefined;
  return objectForm([["data", objectForm([[field.key, valueForm([field.selected])]])]]);
}

/**
 * Returns the form of the values of one response key.
 * @param fields the selections with this key on the same object
 */
function valueForm(fields: readonly RemoteField[]): Form {
  const [first] = fields;
  if (first === undefined) return undefined;
  let form = first.selection === null ? scalarForm : selectionForm(fields.flatMap(({ selection }) => selection ?? []));
  for (let list = 0; list < first.lists; list++) form = nullOr(listForm(form));
  return form;
}

function selectionForm(nodes: readonly RemoteNode[]): Form {
  const fields = fieldsByKey(nodes);
  return fields && nullOr(objectForm(formsOf(fields)));
}

function* formsOf(fields: ReadonlyMap<string, readonly RemoteField[]>): Iterable<readonly [string, Form]> {
  for (const [key, same] of fields) yield [key, valueForm(same)];
}

/** Returns fields in response order; `undefined` if some are selected on certain types only. */
function fieldsByKey(nodes: readonly RemoteNode[]): ReadonlyMap<string, readonly RemoteField[]> | undefined {
  const found = new Map<string, RemoteField[]>();
  const collect = (list: readonly RemoteNode[]): boolean =>
    list.every((node) => {
      if (node.kind === "fragment") return node.type === undefined && collect(node.selection);
      const same = found.get(node.key);
      if (same) same.push(node);
      else found.set(node.key, [node]);
      return true;
    });
  return collect(nodes) ? found : undefined;
}
