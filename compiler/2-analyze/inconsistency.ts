/** Objects of the metadata that cannot be served, and why (`metadata-api.md` 6). */
import type { Json, JsonObject } from "../catalog/model.ts";
import { type ObjectId, objectKey } from "./object-id.ts";

/** An object as entries of `get_inconsistent_metadata` describe it. */
export interface MetadataObject {
  readonly id: ObjectId;
  /** `table`, `object_relation`, …: `metadata-api.md` 6.2. */
  readonly type: string;
  /** `<type> <name>`, for example `object_relation author in table article in source default`. */
  readonly name: string;
  readonly definition: Json;
}

/** One object with its reason, or several that share it; then the object is the first of them. */
export interface Inconsistency extends MetadataObject {
  readonly reason: string;
  /** All of the objects, where several are inconsistent together. */
  readonly together?: Together;
  /** Details of the underlying error, where there are any. */
  readonly message?: Json;
  /** The nearest valid name; the command line shows it, and so does an operation that is refused; not part of entries. */
  readonly hint?: string;
  /** Of the error when the object was to be added, where that is a special one; not part of answers. */
  readonly code?: string;
  /** Objects that this one lacks; they may be inconsistent themselves, or not be there at all. Not part of answers. */
  readonly lacks?: readonly ObjectId[];
  /** Name of the inconsistent object whose repair mends this one, too. */
  readonly causedBy?: string;
  /** Informational: blocks nothing and cannot be dropped. */
  readonly informational?: true;
  /** What an inherited role has no permission on, because its parents' differ; stands for the definition. */
  readonly entity?: JsonObject;
}

export interface Together {
  /** Two of one name, two declarations of one object, endpoints that match the same requests (6.1). */
  readonly form: "conflict" | "duplicate" | "ambiguous_endpoints";
  readonly objects: readonly MetadataObject[];
}

/** The objects that an entry is about. */
export function inconsistentObjects({ id, together }: Inconsistency): readonly ObjectId[] {
  return together === undefined ? [id] : together.objects.map((object) => object.id);
}

/** Entries whose object lacks another inconsistent object get its name, and follow the entry of the first cause. */
export function withCauses(entries: readonly Inconsistency[]): readonly Inconsistency[] {
  if (!entries.some(({ lacks }) => lacks !== undefined)) return entries;
  const found = new Map<string, Inconsistency>();
  for (const entry of entries) {
    if (entry.informational) continue;
    for (const key of inconsistentObjects(entry).map(objectKey)) if (!found.has(key)) found.set(key, entry);
  }
  const rootOf = (entry: Inconsistency, passed: ReadonlySet<Inconsistency> = new Set()): Inconsistency => {
    const cause = (entry.lacks ?? []).map((id) => found.get(objectKey(id))).find((each) => each !== undefined);
    return cause === undefined || passed.has(cause) ? entry : rootOf(cause, new Set(passed).add(entry));
  };
  const dependents = new Map<Inconsistency, Inconsistency[]>();
  for (const entry of entries) {
    const root = rootOf(entry);
    const own = dependents.get(root) ?? [];
    dependents.set(root, own);
    if (root !== entry) own.push({ ...entry, causedBy: root.name });
  }
  return entries.flatMap((entry) => {
    const own = dependents.get(entry);
    return own === undefined ? [] : [entry, ...own];
  });
}

/** The entry in answers, with its keys in the order of the specification. */
export function inconsistencyEntry(inconsistency: Inconsistency): JsonObject {
  const { reason, name, type, definition, message, together, entity } = inconsistency;
  if (entity !== undefined) return { entity, name, reason, type };
  switch (together?.form) {
    case undefined:
      return {
        definition,
        name,
        reason,
        type,
        ...(message === undefined ? {} : { message }),
      };
    case "conflict":
      return { objects: together.objects.map(describe), reason };
    case "duplicate":
      return { definitions: together.objects.map((object) => object.definition), reason, type };
    case "ambiguous_endpoints":
      return { conflicts: together.objects.map((object) => object.definition), reason };
  }
}

/** Returns the entry with `caused_by`, the answer to `get_inconsistent_metadata {"causes": true}`. */
export function entryWithCause(inconsistency: Inconsistency): JsonObject {
  const { causedBy } = inconsistency;
  return { ...inconsistencyEntry(inconsistency), ...(causedBy === undefined ? {} : { caused_by: causedBy }) };
}

function describe({ definition, name, type }: MetadataObject): JsonObject {
  return { definition, name, type };
}
