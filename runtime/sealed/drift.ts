/** What has changed in a database since the Shape that an artifact was built for, and whether it can matter. */
import type { DatabaseFact, EnumTable } from "../support/database-fact.ts";

export interface Drift {
  /** Differences that no statement of the artifact can meet, one line each. */
  readonly harmless: readonly string[];
  readonly harmful: readonly string[];
}

export interface ExpectedFacts {
  readonly facts: readonly DatabaseFact[];
  /** Schemas and names of the tables and functions that the metadata names. */
  readonly tracked: readonly (readonly [string, string])[];
  /** Those of the tables that are enums. */
  readonly enums: readonly EnumTable[];
}

/**
 * Harmless are differences of tables that are not tracked, and what was added to one that is: but for columns that
 * every insert has to give, and values of enums, which clients would meet without knowing them. Functions that are not
 * tracked are left out; a second one with the name of a tracked one makes calls ambiguous.
 */
export function driftOf({ facts, tracked }: ExpectedFacts, found: readonly DatabaseFact[]): Drift {
  const names = new Set(tracked.map((name) => JSON.stringify(name)));
  const isTracked = ({ object }: DatabaseFact): boolean => names.has(JSON.stringify(object));
  const byKey = (all: readonly DatabaseFact[]): ReadonlyMap<string, DatabaseFact> =>
    new Map(all.filter((fact) => fact.part[0] !== "function" || isTracked(fact)).map((fact) => [keyOf(fact), fact]));
  const before = byKey(facts);
  const now = byKey(found);
  const harmless: string[] = [];
  const harmful: string[] = [];
  const add = (fact: DatabaseFact, change: string, isHarmless: boolean): void => {
    const list = isHarmless || !isTracked(fact) ? harmless : harmful;
    list.push(`${describe(fact)} ${change}`);
  };
  for (const [key, fact] of before) {
    const other = now.get(key);
    if (other === undefined) add(fact, `is missing (was: ${fact.value})`, false);
    else if (other.value !== fact.value) add(fact, `is ${other.value}, was ${fact.value}`, false);
  }
  for (const [key, fact] of now) {
    if (!before.has(key)) add(fact, `was added (${fact.value})`, isHarmlessWhenAdded(fact));
  }
  return { harmless: harmless.sort(), harmful: harmful.sort() };
}

const additions: ReadonlySet<string | undefined> = new Set(["table", "key", "foreign key"]);

function isHarmlessWhenAdded({ part: [kind], isOptional }: DatabaseFact): boolean {
  return additions.has(kind) || (kind === "column" && isOptional === true);
}

const keyOf = ({ object, part }: DatabaseFact): string => JSON.stringify([object, part]);

function describe({ object, part: [kind, name] }: DatabaseFact): string {
  const path = object.join(".");
  if (kind === "function") return `function ${path}(${name})`;
  return name === undefined ? `table ${path}` : `${kind} ${path}.${name}`;
}
