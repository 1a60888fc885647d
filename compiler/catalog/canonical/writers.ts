/**
 * Combinators for the exported form of objects: keys in export order, each with a writer that returns the exported
 * value, or `undefined` to leave the key out.
 */

import { isObject } from "../../../runtime/values/is-object.ts";
import type { Json, JsonObject } from "../model.ts";

export type Writer = (value: unknown) => Json | undefined;

/** A writer for every key of `T`: a new key of the model without a writer does not compile. */
export type Writers<T> = { readonly [K in keyof T]-?: Writer };

/** Writes a value as it is. Everything in a catalog is JSON. */
export function exact(value: unknown): Json | undefined {
  return value as Json | undefined;
}

/** Writes a value as it is; leaves out `null` and `undefined`. */
export const given: Writer = (value) => exact(value ?? undefined);

/** Returns a writer that leaves out the default value. */
export function unless(standard: Json): Writer {
  return (value) => (value === standard ? undefined : given(value));
}

export const onlyTrue: Writer = unless(false);

/** Returns a writer that writes the default if `writer` leaves the value out. */
export function always(standard: Json, writer: Writer = given): Writer {
  return (value) => writer(value) ?? standard;
}

export function fields<T>(writers: Writers<T>): (value: unknown) => JsonObject {
  const entries = Object.entries<Writer>(writers);
  return (value) => {
    const source = isObject(value) ? value : {};
    const written: [string, Json][] = [];
    for (const [key, writer] of entries) {
      const result = writer(source[key]);
      if (result !== undefined) written.push([key, result]);
    }
    return Object.fromEntries(written);
  };
}

/** Returns a writer that leaves out `null` and `undefined`, and writes other values with `writer`. */
export function optional(writer: (value: unknown) => Json): Writer {
  return (value) => (value === undefined || value === null ? undefined : writer(value));
}

export function unlessEmpty(writer: (value: unknown) => Json | undefined): Writer {
  return (value) => {
    const written = writer(value);
    if (written === undefined || written === null || typeof written !== "object") return written ?? undefined;
    return Object.keys(written).length === 0 ? undefined : written;
  };
}

function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns a writer of lists that keeps their order. */
export function list(element: (value: unknown) => Json): (value: unknown) => Json {
  return (value) => items(value).map(element);
}

/** Returns a writer of lists that sorts by `key`, compared by code units. The sort is stable. */
export function sorted(key: (item: unknown) => string, element: (value: unknown) => Json): (value: unknown) => Json {
  return (value) =>
    items(value)
      .map((item) => ({ key: key(item), item }))
      .sort((left, right) => byCodeUnits(left.key, right.key))
      .map(({ item }) => element(item));
}

/** Returns a sort key from properties; an absent or `null` property sorts first. */
export function by(...keys: readonly string[]): (item: unknown) => string {
  return (item) => keys.map((key) => (isObject(item) ? (item[key] ?? "") : "")).join("\u0000");
}

function byCodeUnits(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Returns a writer of objects used as maps, with sorted keys. */
export function map(element: (value: unknown) => Json | undefined): (value: unknown) => JsonObject {
  return (value) => {
    const entries = Object.entries(isObject(value) ? value : {}).sort(([left], [right]) => byCodeUnits(left, right));
    const written: [string, Json][] = [];
    for (const [key, member] of entries) {
      const result = element(member);
      if (result !== undefined) written.push([key, result]);
    }
    return Object.fromEntries(written);
  };
}
