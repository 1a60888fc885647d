/** Derives file names from metadata names: readable if possible, unique, valid on all systems, and inside the folder. */

import { createHash } from "node:crypto";
import type { Json } from "../../../compiler/catalog/model.ts";
import { isObject } from "../../values/is-object.ts";

const maxLength = 100;
/** Device names of Windows, which are reserved with any extension. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$/i;

/** The label is readable; the identity distinguishes objects with similar labels. */
export interface Named {
  readonly label: string;
  readonly identity: string;
}

/** Returns the label and identity of a table or function. */
export function qualifiedFile(name: Json | undefined): Named {
  const { schema, name: plain } = isObject<Json>(name) ? name : {};
  return { label: `${String(schema)}_${String(plain)}`, identity: JSON.stringify([schema, plain]) };
}

/**
 * Returns a name for each item, without extension. A label with special characters, or that differs from another label
 * only by case, gets a hash of its identity after `~`, which plain names never contain.
 */
export function fileNames(items: readonly Named[], taken: readonly string[] = []): readonly string[] {
  const uses = new Map<string, number>(taken.map((name) => [name.toLowerCase(), 1]));
  for (const { label } of items) uses.set(label.toLowerCase(), (uses.get(label.toLowerCase()) ?? 0) + 1);
  return items.map(({ label, identity }) =>
    isPlain(label) && uses.get(label.toLowerCase()) === 1 ? label : `${slug(label)}~${shortHash(identity)}`,
  );
}

function isPlain(label: string): boolean {
  return /^\w([\w.-]*\w)?$/.test(label) && label.length <= maxLength && !reserved.test(label);
}

function slug(label: string): string {
  const readable = label.replace(/[^\w.-]+/g, "_").replace(/^[.-]+/, "_");
  return readable.slice(0, maxLength);
}

function shortHash(identity: string): string {
  return createHash("sha256").update(identity).digest("hex").slice(0, 12);
}
