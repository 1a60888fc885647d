/** One difference between two accesses, and lists of them. */
import { canonicalJson } from "../catalog/canonical.ts";
import type { Effect } from "./effect.ts";
import type { ByName } from "./model.ts";

/** What of the access it is about, in the order of a report. */
export const areas = [
  "role",
  "permissions",
  "api",
  "operations",
  "endpoints",
  "allow-list",
  "events",
  "actions",
  "schedules",
  "other",
] as const;
export type Area = (typeof areas)[number];

export interface Change {
  /** Absent: all of them. */
  readonly role?: string;
  readonly area: Area;
  /** The table, type, operation or endpoint. */
  readonly subject: string;
  /** What of it: `select column`, `rows to update`, `field`. */
  readonly aspect: string;
  /** Which of several. */
  readonly name?: string;
  readonly kind: "added" | "removed" | "changed";
  /** As text for people; absent where the name says it all. */
  readonly before?: string;
  readonly after?: string;
  readonly effect: Effect;
}

/** Whose changes are noted, and of what. */
export type Scope = Pick<Change, "role" | "area" | "subject">;

export interface Details {
  readonly aspect: string;
  readonly name?: string;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly effect: Effect;
}

export interface ListDetails<T> {
  readonly aspect: string;
  /** Of a member that one side does not have: of its addition. */
  readonly added: (item: T, name: string) => Effect;
  /** What is shown of a member. */
  readonly text?: (item: T, name: string) => string | undefined;
}

/** The same for the other direction. */
const mirrored: Readonly<Record<Effect, Effect>> = {
  widens: "narrows",
  narrows: "widens",
  "may widen": "may widen",
  none: "none",
};

/** Changes as they are found. */
export class Changes {
  readonly #found: Change[];
  readonly #scope: Scope;

  constructor(scope: Scope, found: Change[] = []) {
    this.#scope = scope;
    this.#found = found;
  }

  /** Notes into the same list, about something else. */
  about(scope: Partial<Scope>): Changes {
    return new Changes({ ...this.#scope, ...scope }, this.#found);
  }

  changed(details: Details): void {
    this.#note("changed", details);
  }

  added({ before: _, ...details }: Details): void {
    this.#note("added", details);
  }

  /** @param details as if it was added: its `after` is what there was */
  removed({ after, before: _, effect, ...details }: Details): void {
    this.#note("removed", { ...details, before: after, effect: mirrored[effect] });
  }

  /** What one side does not have, as such; what both have, by `compare`. */
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

  /** In the order of a report, which depends on nothing but the changes. */
  list(): readonly Change[] {
    const keyed = this.#found.map((change) => ({ change, key: keyOf(change) }));
    return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ change }) => change);
  }

  #note(kind: Change["kind"], { aspect, name, before, after, effect }: Details): void {
    this.#found.push({
      ...this.#scope,
      aspect,
      ...(name === undefined ? {} : { name }),
      kind,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
      effect,
    });
  }
}

/** Parts do not run into each other: what separates them is less than any other character. */
const keyOf = ({ role, area, subject, aspect, name = "" }: Change): string =>
  [role === undefined ? "" : `r${role}`, areas.indexOf(area), subject, aspect, name].join("\u0000");

export const isSame = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b);

/** Members of either by name. */
export function pairs<T>(before: ByName<T>, after: ByName<T>): (readonly [string, T | undefined, T | undefined])[] {
  const from = new Map(Object.entries(before));
  const to = new Map(Object.entries(after));
  return [...new Set([...from.keys(), ...to.keys()])].sort().map((name) => [name, from.get(name), to.get(name)]);
}

/** A list as members. */
export const named = (names: readonly string[]): ByName<true> => Object.fromEntries(names.map((name) => [name, true]));
