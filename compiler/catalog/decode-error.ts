/**
 * Converts the issues of a zod schema for metadata or arguments into one diagnostic. Input: the issues and the parsed
 * value. Only the first issue in document order is reported.
 */

import type { z } from "zod";
import { encounteredJson } from "../../runtime/values/describe-json.ts";
import { pathTo } from "../../runtime/values/errors.ts";
import { isObject } from "../../runtime/values/is-object.ts";
import { misspeltKey } from "../../runtime/values/nearest-name.ts";
import { type Diagnostic, ok, type Result } from "../diagnostics/diagnostic.ts";
import { type IssueDetails, issueDetails } from "./schema/combinators.ts";

type Issue = z.core.$ZodIssue;

/**
 * Parses a value.
 * @param path JSONPath of the value itself
 */
export function decode<T>(schema: z.ZodType<T>, input: unknown, path: string): Result<T> {
  const result = schema.safeParse(input);
  return result.success ? ok(result.data) : { ok: false, error: decodeError(result.error.issues, input, path) };
}

/** Returns the diagnostic for the first issue. There must be at least one issue. */
function decodeError(issues: readonly Issue[], input: unknown, path: string): Diagnostic {
  const issue = firstInDocument(issues, input);
  const keys = pathKeys(issue);
  const { holder, value, present } = resolve(input, keys);
  if (!present) {
    const missing = String(keys.at(-1));
    const hint = misspelling(missing, holder);
    const message = `key "${missing}" not found`;
    return { code: "parse-failed", path: pathTo(path, ...keys.slice(0, -1)), message, ...hint };
  }
  const details = issueDetails(issue);
  const at = pathTo(path, ...(details.atParent ? keys.slice(0, -1) : keys));
  const hint = details.hint === undefined ? {} : { hint: details.hint };
  return { code: "parse-failed", path: at, message: messageOf(details, issue.message, value), ...hint };
}

function messageOf({ parsing, expected }: IssueDetails, message: string, value: unknown): string {
  if (parsing === undefined || expected === undefined) return message;
  return `parsing ${parsing} failed, expected ${expected}, but encountered ${encounteredJson(value)}`;
}

function misspelling(missing: string, holder: unknown): { readonly hint?: string } {
  if (!isObject(holder)) return {};
  const hint = misspeltKey(missing, holder);
  return hint === undefined ? {} : { hint };
}

function pathKeys(issue: Issue): readonly (string | number)[] {
  return issue.path.map((key) => (typeof key === "symbol" ? String(key) : key));
}

/** Follows a path to its last existing value. `holder` is the value that has, or lacks, the last key. */
function resolve(input: unknown, keys: readonly (string | number)[]) {
  let holder: unknown;
  let value = input;
  for (const key of keys) {
    holder = value;
    if (!isContainer(value) || !Object.hasOwn(value, key)) return { holder, value: undefined, present: false };
    value = value[key];
  }
  return { holder, value, present: keys.length === 0 || value !== undefined };
}

function isContainer(value: unknown): value is Readonly<Record<string | number, unknown>> {
  return typeof value === "object" && value !== null;
}

/**
 * Returns the first issue in document order. An issue about a whole object, such as a missing key, comes after the
 * issues of its members.
 */
function firstInDocument(issues: readonly Issue[], input: unknown): Issue {
  const [first, ...others] = issues;
  if (first === undefined) throw new Error("invariant: a failed parse has no issue");
  let earliest = { issue: first, place: others.length > 0 ? placeOf(first, input) : [] };
  for (const issue of others) {
    const place = placeOf(issue, input);
    if (isBefore(place, earliest.place)) earliest = { issue, place };
  }
  return earliest.issue;
}

/** Returns the position of each key among its siblings. Absent keys come last. */
function placeOf(issue: Issue, input: unknown): readonly number[] {
  const place: number[] = [];
  let value = input;
  for (const key of pathKeys(issue)) {
    if (!isContainer(value) || !Object.hasOwn(value, key)) return place;
    place.push(typeof key === "number" ? key : Object.keys(value).indexOf(key));
    value = value[key];
  }
  return place;
}

function isBefore(left: readonly number[], right: readonly number[]): boolean {
  const length = Math.max(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const difference = (left[index] ?? Number.POSITIVE_INFINITY) - (right[index] ?? Number.POSITIVE_INFINITY);
    if (difference !== 0 && !Number.isNaN(difference)) return difference < 0;
  }
  return false;
}
