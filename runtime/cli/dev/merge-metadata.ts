/**
 * Merges changes that a server made to its metadata, such as renamed columns, into that of files. All metadata is
 * canonical.
 */

import type { Json, JsonObject } from "../../../compiler/catalog/model.ts";
import { canonicalJson } from "../../values/canonical-json.ts";
import { isObject } from "../../values/is-object.ts";
import { identityOf, identityText, indexed, isRenamed } from "../metadata-directory/identity.ts";

/**
 * Returns the metadata of the files with the changes of the server since the common state. The files win where both
 * changed a value, and keep objects that the server dropped: SQL may drop and create a table again.
 * @param common last state that files and server shared
 */
export function mergedMetadata(common: JsonObject, server: JsonObject, files: JsonObject): JsonObject {
  return mergedObject(common, server, files);
}

function merged(common: Json | undefined, server: Json | undefined, files: Json | undefined): Json | undefined {
  if (isSame(server, common)) return files;
  if (isObject<Json>(server) && isObject<Json>(files) && (common === undefined || isObject<Json>(common))) {
    return mergedObject(common ?? {}, server, files);
  }
  const [before, theirs, ours] = [elements(common), elements(server), elements(files)];
  if (before !== undefined && theirs !== undefined && ours !== undefined) return mergedList(before, theirs, ours);
  return mergedWhole(common, server, files);
}

/** Keys of values that are merged as a whole: a condition must not get parts of two. */
const wholeKeys: ReadonlySet<string> = new Set(["filter", "check", "set"]);

function mergedWhole(common: Json | undefined, server: Json | undefined, files: Json | undefined): Json | undefined {
  return isSame(files, common) ? server : files;
}

function mergedObject(
  common: Readonly<Record<string, Json>>,
  server: Readonly<Record<string, Json>>,
  files: Readonly<Record<string, Json>>,
): JsonObject {
  const keys = new Set([...Object.keys(files), ...Object.keys(server)]);
  return Object.fromEntries(
    [...keys].flatMap((key): [string, Json][] => {
      const states = [own(common, key), own(server, key), own(files, key)] as const;
      const value = wholeKeys.has(key) ? mergedWhole(...states) : merged(...states);
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

type Elements = ReadonlyMap<string, Json>;

/** Returns the elements of a list by identity; those of an absent list are none. */
function elements(list: Json | undefined): Elements | undefined {
  if (list === undefined) return new Map();
  if (!Array.isArray(list) || indexed(list) === undefined) return undefined;
  return new Map(list.map((each: Json) => [nameOf(each), each]));
}

const nameOf = (element: Json): string => {
  const identity = identityOf(element);
  return identity === undefined ? "" : identityText(identity);
};

function mergedList(common: Elements, server: Elements, files: Elements): readonly Json[] {
  const added = new Map([...server].filter(([name]) => !common.has(name)));
  const list = [...files].flatMap(([name, element]): Json[] => {
    const before = common.get(name);
    const same = server.get(name);
    const renamed =
      before === undefined || same !== undefined
        ? undefined
        : [...added].find(([to, each]) => !files.has(to) && isRenamed(before, each));
    if (renamed !== undefined) added.delete(renamed[0]);
    if (same === undefined && renamed === undefined) return [element];
    added.delete(name);
    const value = merged(before, same ?? renamed?.[1], element);
    return value === undefined ? [] : [value];
  });
  return [...list, ...[...added].filter(([name]) => !files.has(name)).map(([, element]) => element)];
}

function own(object: Readonly<Record<string, Json>>, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

const isSame = (left: Json | undefined, right: Json | undefined): boolean =>
  left === right || (left !== undefined && right !== undefined && canonicalJson(left) === canonicalJson(right));

/** Returns one line for each object that the server has and the files lack, without the objects inside it. */
export function serverOnly(server: JsonObject, files: JsonObject): readonly string[] {
  return onlyIn(server, files, []);
}

function onlyIn(server: Json, files: Json | undefined, path: readonly string[]): readonly string[] {
  if (Array.isArray(server)) {
    const found = elements(files);
    if (elements(server) === undefined || found === undefined) return [];
    return server.flatMap((element: Json) => {
      const [kind = "", ...parents] = path.toReversed();
      const label = labelOf(element);
      const other = found.get(nameOf(element));
      if (other !== undefined) return onlyIn(element, other, [...path, label]);
      return [[`${kind} ${label}`, ...parents.filter((_, index) => index % 2 === 0)].join(" of ")];
    });
  }
  if (!isObject<Json>(server)) return [];
  const others = isObject<Json>(files) ? files : {};
  return Object.entries(server).flatMap(([key, member]) => onlyIn(member, own(others, key), [...path, key]));
}

/** Returns the name of an element, such as `public.note`. */
function labelOf(element: Json): string {
  const value = identityOf(element)?.value;
  if (!isObject<Json>(value)) return String(value);
  return [value.schema, value.name].filter((part) => part !== undefined).join(".");
}
