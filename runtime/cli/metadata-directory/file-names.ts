/** File names for metadata names: readable where possible, and never two alike, outside of the folder, or unusable. */

import { createHash } from "node:crypto";
import type { Json } from "../../../compiler/catalog/model.ts";
import { isObject } from "../../values/is-object.ts";

const longest = 100;
/** Names that Windows keeps for devices, with any extension. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$/i;

/** What a file is named after; the identity tells apart what the readable label does not. */
export interface Named {
  readonly label: string;
  readonly identity: string;
}

/** The file of a table or a function. */
export function qualifiedFile(name: Json | undefined): Named {
  const { schema, name: plain } = isObject<Json>(name) ? name : {};
  return { label: `${String(schema)}_${String(plain)}`, identity: JSON.stringify([schema, plain]) };
}

/**
 * One name for each, without extension. A label that is fine as it stands is the name; one that has other characters
 * or differs from another one by case only gets a hash of its identity, after a `~` that plain names never contain.
 */
export function fileNames(items: readonly Named[], taken: readonly string[] = []): readonly string[] {
  const uses = new Map<string, number>(taken.map((name) => [name.toLowerCase(), 1]));
  for (const { label } of items) uses.set(label.toLowerCase(), (uses.get(label.toLowerCase()) ?? 0) + 1);
  return items.map(({ label, identity }) =>
    isPlain(label) && uses.get(label.toLowerCase()) === 1 ? label : `${slug(label)}~${shortHash(identity)}`,
  );
}

function isPlain(label: string): boolean {
  return /^\w([\w.-]*\w)?$/.test(label) && label.length <= longest && !reserved.test(label);
}

function slug(label: string): string {
  const readable = label.replace(/[^\w.-]+/g, "_").replace(/^[.-]+/, "_");
  return readable.slice(0, longest);
}

function shortHash(identity: string): string {
  return createHash("sha256").update(identity).digest("hex").slice(0, 12);
}
