/** Splits the list that a remote schema returned for a batch of keys into the values of each key. */
import type { JoinedBatch } from "../../model/planner/request/remote/join-request.ts";
import type { FieldPath } from "../../values/errors.ts";
import { itemsOf, membersOf, skipBlanks } from "../../values/json/positions.ts";
import { remoteError } from "../remote/remote-errors.ts";

/**
 * Matches items to keys. Null items match no key.
 * @param text the list, well-formed JSON
 * @param keys JSON text of each key: a value, or an object for composite keys
 * @param path path of the field, for errors
 * @returns JSON texts in the order of the keys
 * @throws EngineError `remote-schema-error` if items cannot be matched to keys
 */
export function batchValues(
  text: string,
  keys: readonly string[],
  { relationship, members }: JoinedBatch,
  path: string,
): readonly string[] {
  if (text === "null") return keys.map(() => "null");
  if (!text.startsWith("[")) throw fault("no list", path);
  const items = itemsOf(text);
  if (members === undefined) {
    if (items.length !== keys.length) throw fault(`${items.length} items for ${keys.length} keys`, path);
    return items;
  }
  const found = matched(items, members);
  return keys.map((key) => {
    const matches = found.get(identityOf(key, members.length)) ?? [];
    if (relationship === "array") return `[${matches.map(({ json }) => json).join(",")}]`;
    if (matches.length > 1) throw fault("several items for one key", path);
    return matches[0]?.json ?? "null";
  });
}

/**
 * Returns the keys that each item matches, with the path to the item within the value of the key.
 * @param text the list, well-formed JSON
 * @returns matches by item; `undefined` for an item without a key
 */
export function keysOfItems(
  text: string,
  keys: readonly string[],
  { relationship, members }: JoinedBatch,
): readonly (readonly { readonly key: number; readonly path: FieldPath }[] | undefined)[] {
  if (members === undefined) return keys.map((_, key) => [{ key, path: [] }]);
  const items = itemsOf(text);
  const owners = new Array<{ key: number; path: FieldPath }[] | undefined>(items.length).fill(undefined);
  const found = matched(items, members);
  // Items with a key that was not requested match no key.
  for (const matches of found.values()) for (const { item } of matches) owners[item] = [];
  for (const [key, json] of keys.entries()) {
    const matches = found.get(identityOf(json, members.length)) ?? [];
    for (const [i, { item }] of matches.entries()) {
      owners[item]?.push({ key, path: relationship === "array" ? [i] : [] });
    }
  }
  return owners;
}

const fault = (problem: string, path: string) =>
  remoteError(`the remote server returned ${problem} for a relationship at ${path}`);

/** An item without its key members. */
interface MatchedItem {
  /** Index in the list. */
  readonly item: number;
  readonly json: string;
}

/** Groups items by key, and removes their key members. */
function matched(items: readonly string[], members: readonly string[]): ReadonlyMap<string, readonly MatchedItem[]> {
  const positions = new Map(members.map((member, i) => [JSON.stringify(member), i]));
  const found = new Map<string, MatchedItem[]>();
  for (const [i, item] of items.entries()) {
    if (!item.startsWith("{")) continue;
    const keys = new Array<string>(members.length).fill("null");
    const rest: string[] = [];
    for (const { key, from, to } of membersOf(item, 0)) {
      const position = positions.get(key);
      if (position === undefined) rest.push(`${key}:${item.slice(from, to)}`);
      else keys[position] = item.slice(from, to);
    }
    if (keys.includes("null")) continue;
    const identity = JSON.stringify(keys.map(comparable));
    const matches = found.get(identity) ?? [];
    matches.push({ item: i, json: `{${rest.join(",")}}` });
    found.set(identity, matches);
  }
  return found;
}

/**
 * Returns an identity that is equal for numbers and strings with the same value, because some servers return ids as
 * numbers and others return them as strings.
 */
function identityOf(key: string, count: number): string {
  if (count === 1) return JSON.stringify([comparable(key)]);
  return JSON.stringify(
    Array.from(membersOf(key, skipBlanks(key, 0)), ({ from, to }) => comparable(key.slice(from, to))),
  );
}

/** Returns a string without quotes, or a number without trailing zeros. */
function comparable(json: string): string {
  if (json.startsWith('"')) return String(JSON.parse(json));
  return /^-?\d+\.\d+$/.test(json) ? json.replace(/\.?0+$/, "") : json;
}
