/** The list that a remote server answered for many keys → what belongs to each of them. */
import type { JoinedBatch } from "../../model/planner/request/remote/join-request.ts";
import { itemsOf, membersOf, skipBlanks } from "../json-text.ts";
import { remoteError } from "../remote/remote-errors.ts";

/**
 * Items that are null belong to nobody; a key without items has none.
 * @param text of the list, well-formed JSON
 * @param keys JSON text of each: of the value, or of an object of several
 * @param path of the field, for errors
 * @returns JSON texts for the keys, in their order
 * @throws EngineError `remote-schema-error` where the items cannot be told apart
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
    const own = found.get(identityOf(key, members.length)) ?? [];
    if (relationship === "array") return `[${own.join(",")}]`;
    if (own.length > 1) throw fault("several items for one key", path);
    return own[0] ?? "null";
  });
}

const fault = (what: string, path: string) =>
  remoteError(`the remote server answered ${what} of a relationship at ${path}`);

/** The items by their keys, without the members that hold these. */
function matched(items: readonly string[], members: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const positions = new Map(members.map((member, i) => [JSON.stringify(member), i]));
  const found = new Map<string, string[]>();
  for (const item of items) {
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
    const own = found.get(identity) ?? [];
    own.push(`{${rest.join(",")}}`);
    found.set(identity, own);
  }
  return found;
}

/** Equal for keys that are the same value, as a number or as a string: servers write ids as either. */
function identityOf(key: string, count: number): string {
  if (count === 1) return JSON.stringify([comparable(key)]);
  return JSON.stringify(
    Array.from(membersOf(key, skipBlanks(key, 0)), ({ from, to }) => comparable(key.slice(from, to))),
  );
}

/** A string without its quotes; a number without zeros that say nothing. */
function comparable(json: string): string {
  if (json.startsWith('"')) return String(JSON.parse(json));
  return /^-?\d+\.\d+$/.test(json) ? json.replace(/\.?0+$/, "") : json;
}
