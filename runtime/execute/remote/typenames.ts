/** The names of types in an answer of a remote server → those that the role knows. */
import { type RemoteSchema, upstreamType } from "../../model/definitions/remote/remote-schema.ts";
import type { TypenamePlaces } from "../../model/planner/request/remote/remote-request.ts";
import type { Interruptible } from "../../values/interruptible.ts";
import { isObject } from "../../values/is-object.ts";
import { stringifyJson } from "../../values/json-number.ts";
import { readJson } from "../../values/json-reader.ts";

/** @param text of the value of a field, well-formed JSON */
export function* renameTypenames(text: string, remote: RemoteSchema, places: TypenamePlaces): Interruptible<string> {
  const value = yield* readJson(text);
  yield* rename(value, namesOf(remote), places);
  return stringifyJson(value);
}

type Names = ReadonlyMap<string, string>;

const known = new WeakMap<RemoteSchema, Names>();

/** What the role calls the types, by the names that the server has for them. */
function namesOf(remote: RemoteSchema): Names {
  let names = known.get(remote);
  if (names === undefined) {
    const types = remote.document().definitions.flatMap((node) => ("name" in node && node.name ? node.name.value : []));
    names = new Map(types.map((type) => [upstreamType(remote, type), type]));
    known.set(remote, names);
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
