/** How analysis gives an object up: rules throw a `Rejection`, `Findings` makes it an entry. It never leaves the phase. */

import { didYouMean } from "../../runtime/values/nearest-name.ts";
import type { Json } from "../catalog/model.ts";
import type { Inconsistency, MetadataObject, Together } from "./inconsistency.ts";
import type { ObjectId } from "./object-id.ts";

interface RejectionDetails {
  readonly hint?: string | undefined;
  readonly dangling?: boolean;
  readonly internal?: Json;
  readonly code?: string;
  readonly lacks?: readonly ObjectId[];
}

/** Why an object cannot be served. */
export class Rejection extends Error {
  readonly hint: string | undefined;
  /** Details of the underlying error. */
  readonly internal: Json | undefined;
  /** Another object that it needs is not there or was given up; such reasons do not say where they arose. */
  readonly dangling: boolean;
  /** Of the error that an operation gives who wants to add the object, where the specification names one. */
  readonly code: string | undefined;
  /** Objects by these ids are needed and missing or inconsistent. */
  readonly lacks: readonly ObjectId[];

  constructor(reason: string, details: RejectionDetails = {}) {
    super(reason);
    this.name = "Rejection";
    this.hint = details.hint;
    this.internal = details.internal;
    this.dangling = details.dangling ?? false;
    this.code = details.code;
    this.lacks = details.lacks ?? [];
  }
}

export function reject(reason: string): never {
  throw new Rejection(reason);
}

/** Refuses an object that an operation cannot add for a reason with a code of its own. */
export function rejectWithCode(code: string, reason: string, internal?: Json): never {
  throw new Rejection(reason, { code, ...(internal !== undefined && { internal }) });
}

/** Gives rejections a code. */
export function withCode<T>(code: string, build: () => T): T {
  try {
    return build();
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    const { message, hint, dangling, internal, lacks } = error;
    throw new Rejection(message, { hint, dangling, code, lacks, ...(internal !== undefined && { internal }) });
  }
}

/** Refuses an object because of one it depends on (`metadata-api.md` 6.3, "any dependent of a missing thing"). */
export function rejectDangling(reason: string, ...lacks: readonly ObjectId[]): never {
  throw new Rejection(reason, { dangling: true, lacks });
}

/**
 * Refuses an object because of a name that stands for nothing.
 * @param lacks objects of that name, which may be declared and inconsistent
 */
export function rejectUnknown(
  reason: string,
  name: string,
  candidates: Iterable<string>,
  ...lacks: readonly ObjectId[]
): never {
  throw new Rejection(reason, { hint: didYouMean(name, candidates), lacks });
}

/** Why a part of an object is at fault, and what was probably meant. */
export interface Fault {
  readonly reason: string;
  readonly hint?: string | undefined;
}

/** A name that stands for nothing. */
export function unknownName(reason: string, name: string, candidates: Iterable<string>): Fault {
  return { reason, hint: didYouMean(name, candidates) };
}

/** The same, for several names of one list. */
export function unknownNames(reason: string, names: readonly string[], candidates: readonly string[]): Fault {
  return { reason, hint: hintsOf(names.map((name) => unknownName(reason, name, candidates))) };
}

/** All of them, each once; `undefined` when nothing is near. */
export function hintsOf(faults: readonly Fault[]): string | undefined {
  const hints = new Set(faults.flatMap(({ hint }) => hint ?? []));
  return hints.size === 0 ? undefined : [...hints].join(" ");
}

/** `<subject> because <reason>`, or the list of several reasons. */
export function becauseOf(subject: string, reasons: readonly string[]): string {
  const [only] = reasons;
  if (reasons.length === 1) return `${subject} because ${only}`;
  return `${subject} for the following reasons:\n${reasons.map((reason) => `  • ${reason}\n`).join("")}`;
}

/** The entries of one analysis, in the order in which the objects were looked at. */
export class Findings {
  readonly entries: Inconsistency[] = [];

  /**
   * What `build` makes of an object, or `undefined` after an entry was made of its rejection.
   * @param place goes before the reason: `in table "t": in relationship "r": `
   */
  attempt<T>(object: () => MetadataObject, place: string, build: () => T): T | undefined {
    try {
      return build();
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      const { message, dangling, hint, internal, code, lacks } = error;
      const reason = `Inconsistent object: ${dangling ? "" : place}${message}`;
      this.entries.push({
        ...object(),
        reason,
        ...(internal === undefined ? {} : { message: internal }),
        ...(hint === undefined ? {} : { hint }),
        ...(code === undefined ? {} : { code }),
        ...(lacks.length === 0 ? {} : { lacks }),
      });
      return undefined;
    }
  }

  add(entry: Inconsistency): void {
    this.entries.push(entry);
  }

  /** An entry of several objects; the first of them stands for it. */
  addTogether(form: Together["form"], objects: readonly MetadataObject[], reason: string): void {
    const [first] = objects;
    if (first !== undefined) this.entries.push({ ...first, reason, together: { form, objects } });
  }

  /** The items whose name no other has; an entry for each name that several have. */
  withoutDuplicates<T>(
    items: readonly T[],
    nameOf: (item: T) => string,
    objectOf: (item: T) => MetadataObject,
  ): readonly T[] {
    const byName = new Map<string, T[]>();
    for (const item of items) {
      const name = nameOf(item);
      const same = byName.get(name);
      if (same === undefined) byName.set(name, [item]);
      else same.push(item);
    }
    if (byName.size === items.length) return items;
    const unique: T[] = [];
    for (const same of byName.values()) {
      const [first] = same;
      if (first === undefined) continue;
      if (same.length === 1) unique.push(first);
      else this.addTogether("duplicate", same.map(objectOf), `Multiple definitions for: ${objectOf(first).name}`);
    }
    return unique;
  }
}
