/** Whether lists hold values (`in`). Lists searched more than once are indexed, so that a `range` over one stays linear. */
import type { Interruptible } from "../../values/interruptible.ts";
import type { Budget } from "./budget.ts";
import { comparison, type JsonValue } from "./json-value.ts";

interface Index {
  /** Strings, booleans, null and numbers that JavaScript holds exactly. */
  readonly plain: ReadonlySet<JsonValue>;
  readonly others: readonly JsonValue[];
}

/** Shorter lists are searched faster without an index. */
const shortest = 16;

/** @returns a search of lists, known by identity */
export function listIndex(budget: Budget): (list: readonly JsonValue[], value: JsonValue) => Interruptible<boolean> {
  const indexes = new Map<readonly JsonValue[], Index>();
  return function* contains(list, value) {
    if (list.length < shortest || !isPlain(value)) return yield* search(list, value, budget);
    let index = indexes.get(list);
    if (index === undefined) {
      if (budget.charge(list.length)) yield;
      index = { plain: new Set(list.filter(isPlain)), others: list.filter((item) => !isPlain(item)) };
      indexes.set(list, index);
    }
    return index.plain.has(value) || (yield* search(index.others, value, budget));
  };
}

function* search(list: readonly JsonValue[], value: JsonValue, budget: Budget): Interruptible<boolean> {
  for (const item of list) if ((yield* comparison(item, value, budget)) === 0) return true;
  return false;
}

function isPlain(value: JsonValue): boolean {
  return value === null || typeof value !== "object";
}
