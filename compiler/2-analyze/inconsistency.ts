/** Inconsistencies: metadata objects that cannot be served, with the reasons. */
import type { ErrorCode } from "../../runtime/values/error-codes.ts";
import type { Json, JsonObject, QualifiedName } from "../catalog/model.ts";
import { type ObjectId, objectKey } from "./object-id.ts";

/** An object in the form of `get_inconsistent_metadata`. */
export interface MetadataObject {
  readonly id: ObjectId;
  /** `table`, `object_relation`, …. */
  readonly type: string;
  /** `<type> <name>`, for example `object_relation author in table article in source default`. */
  readonly name: string;
  readonly definition: Json;
}

/** An inconsistent object with the reason, or several objects with one reason, represented by the first of them. */
export interface Inconsistency extends MetadataObject {
  readonly reason: string;
  /** All objects that are inconsistent together. */
  readonly together?: Together;
  /** Details of the underlying error, if any. */
  readonly message?: Json;
  /** The nearest valid name. The command line and refused operations show it; entries do not contain it. */
  readonly hint?: string;
  /** Specific error code for an operation that adds the object; not part of responses. */
  readonly code?: ErrorCode;
  /** Missing or inconsistent objects that this one depends on. */
  readonly lacks?: readonly ObjectId[];
  /** Name of the inconsistent object whose repair also repairs this one. */
  readonly causedBy?: string;
  /** Informational: refuses only a replacement of the whole metadata, and cannot be dropped. */
  readonly informational?: true;
  /**
   * The permission that an inherited role does not get because its parents' permissions differ; replaces the
   * definition.
   */
  readonly entity?: JsonObject;
}

export interface Together {
  /** Two objects with one name, two declarations of one object, or endpoints that match the same requests. */
  readonly form: "conflict" | "duplicate" | "ambiguous_endpoints";
  readonly objects: readonly MetadataObject[];
}

export function inconsistentObjects({ id, together }: Inconsistency): readonly ObjectId[] {
  return together === undefined ? [id] : together.objects.map((object) => object.id);
}

/**
 * Adds the name of the root cause to entries that depend on another inconsistent object, and moves them behind its
 * entry.
 */
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

/** Returns the entry in responses, with keys in a fixed order. */
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

/** Returns the entry with `caused_by`, as in the response to `get_inconsistent_metadata {"causes": true}`. */
export function entryWithCause(inconsistency: Inconsistency): JsonObject {
  const { causedBy } = inconsistency;
  return { ...inconsistencyEntry(inconsistency), ...(causedBy === undefined ? {} : { caused_by: causedBy }) };
}

/** Returns the identity of the object and of what it lacks, which `{"objects": true}` adds to its entry. */
export function identityMembers({ id, lacks = [] }: Inconsistency): JsonObject {
  return { object: idJson(id), ...(lacks.length > 0 && { lacks: lacks.map(idJson) }) };
}

/** Returns an identity whose names have their keys in a fixed order. */
function idJson(id: ObjectId): JsonObject {
  const parts: readonly (readonly [string, string | QualifiedName])[] = Object.entries(id);
  return Object.fromEntries(
    parts.map(([key, part]) => [key, typeof part === "string" ? part : { schema: part.schema, name: part.name }]),
  );
}

function describe({ definition, name, type }: MetadataObject): JsonObject {
  return { definition, name, type };
}
