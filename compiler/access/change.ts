/** Differences between two accesses. */

import { canonicalJson } from "../../runtime/values/canonical-json.ts";
import type { Condition } from "../3-lower/ir.ts";
import { implies } from "./implies.ts";
import type { ByName } from "./model.ts";

/** Areas of an access, in the order of a report. */
export const areas = [
  "role",
  "permissions",
  "api",
  "operations",
  "endpoints",
  "tools",
  "allow-list",
  "events",
  "actions",
  "schedules",
  "other",
] as const;
export type Area = (typeof areas)[number];

export interface Change {
  /** Absent: all roles. */
  readonly role?: string;
  readonly area: Area;
  /** The table, type, operation or endpoint. */
  readonly subject: string;
  /** The changed property of the subject: `select column`, `rows to update`, `field`. */
  readonly aspect: string;
  /** The changed item, if the property has several. */
  readonly name?: string;
  readonly kind: "added" | "removed" | "changed";
  /** Readable text; absent if the name is enough. */
  readonly before?: string;
  readonly after?: string;
  /** Tables whose select permissions changed and thereby the condition, which refers to them: `_permitted`. */
  readonly through?: readonly string[];
  readonly effect: Effect;
}

/** Subject of the recorded changes. */
export type Scope = Pick<Change, "role" | "area" | "subject">;

export interface Details {
  readonly aspect: string;
  readonly name?: string;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly through?: readonly string[];
  readonly effect: Effect;
}

export interface ListDetails<T> {
  readonly aspect: string;
  /** Returns the effect of adding a member. Removing it has the opposite effect. */
  readonly added: (item: T, name: string) => Effect;
  /** Returns the readable text of a member. */
  readonly text?: (item: T, name: string) => string | undefined;
}

/** Effects of the opposite change. */
const mirrored: Readonly<Record<Effect, Effect>> = {
  widens: "narrows",
  narrows: "widens",
  "may widen": "may widen",
  none: "none",
};

export class Changes {
  readonly #found: Change[];
  readonly #scope: Scope;

  constructor(scope: Scope, found: Change[] = []) {
    this.#scope = scope;
    this.#found = found;
  }

  /** Returns a collector for another subject that adds to the same list. */
  about(scope: Partial<Scope>): Changes {
    return new Changes({ ...this.#scope, ...scope }, this.#found);
  }

  changed(details: Details): void {
    this.#note("changed", details);
  }

  added({ before: _, ...details }: Details): void {
    this.#note("added", details);
  }

  /**
   * Records a removal.
   * @param details details of the opposite addition: its `after` is the removed value
   */
  removed({ after, before: _, effect, ...details }: Details): void {
    this.#note("removed", { ...details, before: after, effect: mirrored[effect] });
  }

  /** Records members that only one side has, and compares members of both sides with `compare`. */
  members<T>(
    before: ByName<T>,
    after: ByName<T>,
    { aspect, added, text = () => undefined }: ListDetails<T>,
    compare?: (before: T, after: T, name: string) => void,
  ): void {
    for (const [name, from, to] of pairs(before, after)) {
      if (from === undefined && to !== undefined) {
        this.added({ aspect, name, after: text(to, name), effect: added(to, name) });
      } else if (from !== undefined && to === undefined) {
        this.removed({ aspect, name, after: text(from, name), effect: added(from, name) });
      } else if (from !== undefined && to !== undefined && !isSame(from, to)) {
        compare?.(from, to, name);
      }
    }
  }

  /** Returns the changes in the order of a report, independent of the order in which they were recorded. */
  list(): readonly Change[] {
    const keyed = this.#found.map((change) => ({ change, key: keyOf(change) }));
    return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ change }) => change);
  }

  #note(kind: Change["kind"], { aspect, name, before, after, through = [], effect }: Details): void {
    this.#found.push({
      ...this.#scope,
      aspect,
      ...(name === undefined ? {} : { name }),
      kind,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
      ...(through.length === 0 ? {} : { through }),
      effect,
    });
  }
}

/** Returns the sort key. The separator sorts before every other character, so that parts are compared separately. */
/** The character of an area has the order of the list; numbers of several digits would not have it as text. */
const keyOf = ({ role, area, subject, aspect, name = "" }: Change): string =>
  [role === undefined ? "" : `r${role}`, areas.indexOf(area).toString(36), subject, aspect, name].join("\u0000");

export const isSame = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b);

/** Pairs the members of both sides by name. */
export function pairs<T>(before: ByName<T>, after: ByName<T>): (readonly [string, T | undefined, T | undefined])[] {
  const from = new Map(Object.entries(before));
  const to = new Map(Object.entries(after));
  return [...new Set([...from.keys(), ...to.keys()])].sort().map((name) => [name, from.get(name), to.get(name)]);
}

/** Converts a list of names to members. */
export const named = (names: readonly string[]): ByName<true> => Object.fromEntries(names.map((name) => [name, true]));

// Effect of a change on access.

export type Effect =
  /** Allows more than before. */
  | "widens"
  /** Requires a review, because it may allow more than before. */
  | "may widen"
  | "narrows"
  | "none";

/** Returns the effect of a changed row filter or check. */
export function conditionEffect(before: Condition | undefined, after: Condition | undefined): Effect {
  const isNarrower = implies(after, before);
  const isWider = implies(before, after);
  if (isNarrower) return isWider ? "none" : "narrows";
  return isWider ? "widens" : "may widen";
}

/** Returns the effect of a changed limit; `undefined` means unlimited. */
export function limitEffect(before: number | undefined, after: number | undefined): Effect {
  const difference = (after ?? Number.POSITIVE_INFINITY) - (before ?? Number.POSITIVE_INFINITY);
  return difference > 0 ? "widens" : difference < 0 ? "narrows" : "none";
}

/** Returns the effect of allowing or forbidding something. */
export const allowedEffect = (before: boolean, after: boolean): Effect =>
  before === after ? "none" : after ? "widens" : "narrows";

export function combined(effects: readonly Effect[]): Effect {
  const found = new Set(effects.filter((effect) => effect !== "none"));
  const [only = "none"] = found;
  return found.size > 1 ? "may widen" : only;
}
