/**
 * How an exported object is described: its keys in the order of the export, each with a writer that answers the
 * exported value, or `undefined` to leave the key out.
 */

import { isObject } from "../../../runtime/values/is-object.ts";
import type { Json, JsonObject } from "../model.ts";

export type Writer = (value: unknown) => Json | undefined;

/** One writer for every key of `T`, so that a new key of the model cannot be forgotten here. */
export type Writers<T> = { readonly [K in keyof T]-?: Writer };

/** As it stands. Everything in a catalog is JSON. */
export function exact(value: unknown): Json | undefined {
  return value as Json | undefined;
}

/** As it stands, and left out when there is nothing. */
export const given: Writer = (value) => exact(value ?? undefined);

/** Left out when it is the default. */
export function unless(standard: Json): Writer {
  return (value) => (value === standard ? undefined : given(value));
}

/** Only `true` is worth a line. */
export const onlyTrue: Writer = unless(false);

/** Never left out. */
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

/** Left out when there is no such object. */
export function optional(writer: (value: unknown) => Json): Writer {
  return (value) => (value === undefined || value === null ? undefined : writer(value));
}

/** Left out when the writer leaves nothing in it. */
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

/** A list in its own order. */
export function list(element: (value: unknown) => Json): (value: unknown) => Json {
  return (value) => items(value).map(element);
}

/** A list ordered by what `key` reads from its elements, compared by code units; equal ones keep their order. */
export function sorted(key: (item: unknown) => string, element: (value: unknown) => Json): (value: unknown) => Json {
  return (value) =>
    items(value)
      .map((item) => ({ key: key(item), item }))
      .sort((left, right) => byCodeUnits(left.key, right.key))
      .map(({ item }) => element(item));
}

/** Reads a key to sort by; `null` and absent are before everything else. */
export function by(...keys: readonly string[]): (item: unknown) => string {
  return (item) => keys.map((key) => (isObject(item) ? (item[key] ?? "") : "")).join("\u0000");
}

function byCodeUnits(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** An object whose keys are names: sorted. */
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
