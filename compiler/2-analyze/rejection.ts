/** Rejections: rules throw a `Rejection`, which `Findings` converts to an inconsistency. It never leaves the phase. */

import type { ErrorCode } from "../../runtime/values/error-codes.ts";
import { didYouMean } from "../../runtime/values/nearest-name.ts";
import type { Json } from "../catalog/model.ts";
import type { Inconsistency, MetadataObject, Together } from "./inconsistency.ts";
import type { ObjectId } from "./object-id.ts";

interface RejectionDetails {
  readonly hint?: string | undefined;
  readonly dangling?: boolean;
  readonly internal?: Json;
  readonly code?: ErrorCode;
  readonly lacks?: readonly ObjectId[];
}

/** Reason why an object cannot be served. */
export class Rejection extends Error {
  readonly hint: string | undefined;
  /** Details of the underlying error. */
  readonly internal: Json | undefined;
  /** True if the cause is a missing or inconsistent dependency. Such a reason gets no prefix. */
  readonly dangling: boolean;
  /** Specific error code for an operation that adds the object, if any. */
  readonly code: ErrorCode | undefined;
  /** Missing or inconsistent objects that this one depends on. */
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

/** Rejects an object, with the error code for the operation that adds it. */
export function rejectWithCode(code: ErrorCode, reason: string, internal?: Json): never {
  throw new Rejection(reason, { code, ...(internal !== undefined && { internal }) });
}

/** Adds an error code to rejections of `build`. */
export function withCode<T>(code: ErrorCode, build: () => T): T {
  try {
    return build();
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    const { message, hint, dangling, internal, lacks } = error;
    throw new Rejection(message, { hint, dangling, code, lacks, ...(internal !== undefined && { internal }) });
  }
}

/** Rejects an object because of a missing or inconsistent dependency. */
export function rejectDangling(reason: string, ...lacks: readonly ObjectId[]): never {
  throw new Rejection(reason, { dangling: true, lacks });
}

/**
 * Rejects an object because of an unknown name.
 * @param lacks objects with that name, which may be declared but inconsistent
 */
export function rejectUnknown(
  reason: string,
  name: string,
  candidates: Iterable<string>,
  ...lacks: readonly ObjectId[]
): never {
  throw new Rejection(reason, { hint: didYouMean(name, candidates), lacks });
}

/** Reason why a part of an object is wrong, with a suggestion. */
export interface Fault {
  readonly reason: string;
  readonly hint?: string | undefined;
}

export function unknownName(reason: string, name: string, candidates: Iterable<string>): Fault {
  return { reason, hint: didYouMean(name, candidates) };
}

/** Returns the fault for several unknown names of one list. */
export function unknownNames(reason: string, names: readonly string[], candidates: readonly string[]): Fault {
  return { reason, hint: hintsOf(names.map((name) => unknownName(reason, name, candidates))) };
}

/** Returns the distinct hints of all faults; `undefined` if there are none. */
export function hintsOf(faults: readonly Fault[]): string | undefined {
  const hints = new Set(faults.flatMap(({ hint }) => hint ?? []));
  return hints.size === 0 ? undefined : [...hints].join(" ");
}

/** Formats `<subject> because <reason>`, or a list of several reasons. */
export function becauseOf(subject: string, reasons: readonly string[]): string {
  const [only] = reasons;
  if (reasons.length === 1) return `${subject} because ${only}`;
  return `${subject} for the following reasons:\n${reasons.map((reason) => `  • ${reason}\n`).join("")}`;
}

/** The inconsistencies of one analysis, in the order in which the objects are analysed. */
export class Findings {
  readonly entries: Inconsistency[] = [];

  /**
   * Returns the result of `build`, or `undefined` after recording its rejection as an inconsistency.
   * @param place prefix of the reason: `in table "t": in relationship "r": `
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

  /** Records an inconsistency of several objects, represented by the first of them. */
  addTogether(form: Together["form"], objects: readonly MetadataObject[], reason: string): void {
    const [first] = objects;
    if (first !== undefined) this.entries.push({ ...first, reason, together: { form, objects } });
  }

  /** Returns the items with unique names, and records an inconsistency for each duplicate name. */
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
