/** Assigns errors that a remote schema returned with data to the join keys that caused them. */
import { isName } from "../../model/definitions/naming.ts";
import type { JoinPlaces, RemotePlace } from "../../model/planner/joins/join-plan.ts";
import { EngineError, type FieldPath } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { memberOf } from "../../values/json/positions.ts";
import { aliasOf, callOf, type JoinCall } from "../remote/join-query.ts";
import { keysOfItems } from "./batch-values.ts";
import { type Faults, maxFaults } from "./faults.ts";

/**
 * Returns the errors by key, numbered across all calls; `undefined` if an error belongs to no key or there are too many
 * errors.
 * @param errors the `errors` of the response
 * @param values values of the calls, by alias
 */
export function keyFaults(
  errors: unknown,
  calls: readonly JoinCall[],
  values: ReadonlyMap<string, string>,
): Faults | undefined {
  if (!Array.isArray(errors) || errors.length > maxFaults) return undefined;
  const callsWithKeys = keysOfCalls(calls, values);
  const found = new Map<number, Map<string, FieldErrors>>();
  for (const error of errors) {
    const [alias, ...below] = pathOf(error);
    const call = callsWithKeys[callOf(alias)];
    const keys = call?.find(below);
    if (call === undefined || keys === undefined) return undefined;
    for (const { key, path } of keys) {
      const number = call.firstKey + key;
      const errorsByPath = found.get(number) ?? new Map<string, FieldErrors>();
      found.set(number, errorsByPath);
      for (const clientPath of clientPaths(path, call.place.joins)) {
        const text = JSON.stringify(clientPath);
        const fieldErrors = errorsByPath.get(text) ?? { path: clientPath, at: call.place.path, errors: [] };
        fieldErrors.errors.push(error);
        errorsByPath.set(text, fieldErrors);
      }
    }
  }
  return new Map(
    [...found].map(([key, byPath]) => {
      return [
        key,
        Array.from(byPath.values(), ({ path, at, errors: fieldErrors }) => ({
          path,
          error: joinError(at, fieldErrors),
        })),
      ];
    }),
  );
}

/** Errors of one field of a key's value. */
interface FieldErrors {
  readonly path: FieldPath;
  /** Path of the relationship in the request. */
  readonly at: string;
  readonly errors: unknown[];
}

interface CallKeys {
  readonly place: RemotePlace;
  /** Number of the first key of the call among the keys of all calls. */
  readonly firstKey: number;
  readonly find: FindKeys;
}

function keysOfCalls(calls: readonly JoinCall[], values: ReadonlyMap<string, string>): readonly CallKeys[] {
  let firstKey = 0;
  return calls.map((call, i) => {
    const keys = { place: call.place, firstKey, find: keyFinder(call, values.get(aliasOf(i)) ?? "null") };
    firstKey += call.keys.length;
    return keys;
  });
}

/**
 * Returns the error for clients. The server's errors are in `internal`, because they refer to a request that clients
 * never see.
 */
export function joinError(path: string, errors: unknown, cause?: EngineError): EngineError {
  return new EngineError("unexpected", path, "Errors from remote server", { status: 500, internal: { errors }, cause });
}

/** A key of a call, with a path in its value. */
interface KeyPath {
  readonly key: number;
  readonly path: FieldPath;
}

/**
 * Returns the path of an error. Returns `[]` for a path with parts other than names and indexes, because clients see
 * the path.
 */
function pathOf(error: unknown): FieldPath {
  const path = isObject(error) ? error.path : undefined;
  if (!Array.isArray(path)) return [];
  return path.every(isPathPart) ? path : [];
}

const isPathPart = (part: unknown): boolean =>
  typeof part === "string" ? isName(part) : Number.isSafeInteger(part) && Number(part) >= 0;

/** Returns the keys that a path below the alias of a call belongs to; `undefined` if the path belongs to no key. */
type FindKeys = (path: FieldPath) => readonly KeyPath[] | undefined;

/**
 * Returns a function that finds the keys of a call.
 * @param value value of the call as JSON text
 */
function keyFinder({ place, keys }: JoinCall, value: string): FindKeys {
  const { path: fields, batch } = place.request.call;
  const names = fields.slice(1).map(({ name }) => name);
  const all = keys.map((_, key): KeyPath => ({ key, path: [] }));
  if (batch === undefined) {
    return (path) => (startsAs(path, names) ? [{ key: 0, path: path.slice(names.length) }] : undefined);
  }
  const list = names.reduce((text, name) => memberOf(text, name) ?? "null", value);
  const isList = list.startsWith("[");
  let items: ReturnType<typeof keysOfItems> | undefined;
  return (path) => {
    if (!startsAs(path, names)) return undefined;
    const [item, ...below] = path.slice(names.length);
    if (!isList || item === undefined) return all;
    items ??= keysOfItems(list, keys, batch);
    const owners = typeof item === "number" ? items[item] : undefined;
    return owners?.map((owner) => ({ key: owner.key, path: [...owner.path, ...below] }));
  };
}

/** Returns true if the path is a prefix of the names or the names are a prefix of the path. */
function startsAs(path: FieldPath, names: readonly string[]): boolean {
  return names.every((name, i) => i >= path.length || path[i] === name);
}

/** Returns a path as clients see it. A hidden key member is replaced by the fields that are joined by the key. */
function clientPaths(path: FieldPath, joins: JoinPlaces | undefined): readonly FieldPath[] {
  let places = joins;
  for (const [i, part] of path.entries()) {
    if (typeof part === "number") continue;
    const place = places?.get(part);
    if (place?.kind === "hidden") {
      const joined = [...(places ?? [])].flatMap(([key, each]) => {
        return each.kind === "typed" && [...each.types.values()].some(({ members }) => members.includes(part))
          ? [[...path.slice(0, i), key]]
          : [];
      });
      return joined.length > 0 ? joined : [path.slice(0, i)];
    }
    places = place?.kind === "below" ? place.places : undefined;
  }
  return [path];
}
