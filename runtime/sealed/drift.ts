/** What has changed in a database since the Shape that an artifact was built for, and whether it can matter. */
import type { DatabaseFact } from "../support/database-fact.ts";

export interface Drift {
  /** Differences that no statement of the artifact can meet, one line each. */
  readonly harmless: readonly string[];
  readonly harmful: readonly string[];
}

export interface ExpectedFacts {
  readonly facts: readonly DatabaseFact[];
  /** Schemas and names of the tables that the metadata tracks. */
  readonly tracked: readonly (readonly [string, string])[];
}

/**
 * Harmless are differences of tables that are not tracked, and what was added to one that is: but for columns that
 * every insert has to give.
 */
export function driftOf({ facts, tracked }: ExpectedFacts, found: readonly DatabaseFact[]): Drift {
  const names = new Set(tracked.map((table) => JSON.stringify(table)));
  const before = new Map(facts.map((fact) => [keyOf(fact), fact]));
  const now = new Map(found.map((fact) => [keyOf(fact), fact]));
  const harmless: string[] = [];
  const harmful: string[] = [];
  const add = (fact: DatabaseFact, change: string, isHarmless: boolean): void => {
    const list = isHarmless || !names.has(JSON.stringify(fact.table)) ? harmless : harmful;
    list.push(`${describe(fact)} ${change}`);
  };
  for (const [key, fact] of before) {
    const other = now.get(key);
    if (other === undefined) add(fact, `is missing (was: ${fact.value})`, false);
    else if (other.value !== fact.value) add(fact, `is ${other.value}, was ${fact.value}`, false);
  }
  for (const [key, fact] of now) {
    if (before.has(key)) continue;
    add(fact, `was added (${fact.value})`, fact.part[0] !== "column" || fact.isOptional === true);
  }
  return { harmless: harmless.sort(), harmful: harmful.sort() };
}

const keyOf = ({ table, part }: DatabaseFact): string => JSON.stringify([table, part]);

function describe({ table, part: [kind, name] }: DatabaseFact): string {
  const relation = table.join(".");
  return name === undefined ? `table ${relation}` : `${kind} ${relation}.${name}`;
}
