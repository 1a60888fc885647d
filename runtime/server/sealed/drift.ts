/** What has changed in a database since the Shape that an artifact was built for, and whether it can matter. */
import { type DatabaseFact, type Definitions, type EnumTable, routineParts } from "../../values/database-fact.ts";
import { type DefinitionPart, definitionParts, isDefinitionPart } from "./definition-parts.ts";

export interface Drift {
  /** Differences that the server starts with, one line each: a warning tells of them. */
  readonly harmless: readonly string[];
  readonly harmful: readonly string[];
}

export interface FoundFacts {
  readonly facts: readonly DatabaseFact[];
  /** `null`: they were not read. */
  readonly definitions: Definitions | null;
}

export interface ExpectedFacts {
  readonly facts: readonly DatabaseFact[];
  /** `null`: the Shape was saved without them. */
  readonly definitions: Definitions | null;
  /** Schemas and names of the tables and functions that the metadata names. */
  readonly tracked: readonly (readonly [string, string])[];
  /** Those of the tables that are enums. */
  readonly enums: readonly EnumTable[];
}

/**
 * Harmless are differences of tables that are not tracked, and what was added to one that is: but for columns that
 * every insert has to give, and values of enums, which clients would meet without knowing them. Functions that are not
 * tracked are left out; a second one with the name of a tracked one makes calls ambiguous. Of definitions,
 * `definition-parts.ts` says what is harmless.
 */
export function driftOf({ facts, definitions, tracked }: ExpectedFacts, found: FoundFacts): Drift {
  const names = new Set(tracked.map((name) => JSON.stringify(name)));
  const isTracked = ({ object }: DatabaseFact): boolean => names.has(JSON.stringify(object));
  const byKey = (all: readonly DatabaseFact[]): ReadonlyMap<string, DatabaseFact> =>
    new Map(
      all.filter((fact) => !routineParts.has(fact.part[0] ?? "") || isTracked(fact)).map((fact) => [keyOf(fact), fact]),
    );
  const harmless: string[] = [];
  const harmful: string[] = [];
  const add = (fact: DatabaseFact, change: string, isHarmless: boolean): void => {
    const list = isHarmless || !isTracked(fact) ? harmless : harmful;
    const part = definitionPartOf(fact);
    list.push(`${describe(fact)} ${change}${part ? `: ${part.reason}` : ""}`);
  };
  const compare = (expected: readonly DatabaseFact[], given: readonly DatabaseFact[]): void => {
    const before = byKey(expected);
    const now = byKey(given);
    for (const [key, fact] of before) {
      const other = now.get(key);
      const part = definitionPartOf(fact);
      if (other === undefined) add(fact, `is missing (was: ${fact.value})`, part?.isHarmless?.missing ?? false);
      else if (other.value !== fact.value) {
        add(fact, `is ${other.value}, was ${fact.value}`, part?.isHarmless?.changed ?? false);
      }
    }
    for (const [key, fact] of now) {
      if (!before.has(key)) add(fact, `was added (${fact.value})`, isHarmlessWhenAdded(fact));
    }
  };
  compare(facts, found.facts);
  const reason = whyNotCompared(definitions, found.definitions);
  if (reason !== undefined) harmless.push(`definitions of views, functions, policies, triggers and defaults ${reason}`);
  else compare(definitions?.facts ?? [], found.definitions?.facts ?? []);
  return { harmless: harmless.sort(), harmful: harmful.sort() };
}

/** `undefined`: they can be compared. */
function whyNotCompared(expected: Definitions | null, found: Definitions | null): string | undefined {
  if (expected === null || found === null) {
    return "were not compared: the shape has none; save it again with `engine shape`, and build again";
  }
  const [before, now] = [expected.serverVersion, found.serverVersion];
  if (before === now) return undefined;
  return `were not compared: they are of version ${before} of the database server, which is version ${now} here`;
}

const additions: ReadonlySet<string | undefined> = new Set(["table", "key", "unique index", "foreign key"]);

function isHarmlessWhenAdded(fact: DatabaseFact): boolean {
  const { part, isOptional } = fact;
  const [kind] = part;
  const definition = definitionPartOf(fact);
  if (definition) return definition.isHarmless?.added?.(fact.value) ?? false;
  return additions.has(kind) || (kind === "column" && isOptional === true);
}

function definitionPartOf({ part: [kind = ""] }: DatabaseFact): DefinitionPart | undefined {
  return isDefinitionPart(kind) ? definitionParts[kind] : undefined;
}

const keyOf = ({ object, part }: DatabaseFact): string => JSON.stringify([object, part]);

function describe(fact: DatabaseFact): string {
  const { object, part } = fact;
  const [kind = "", name] = part;
  const path = object.join(".");
  const title = definitionPartOf(fact)?.title;
  if (name === undefined) return `${title ?? "table"} ${path}`;
  return `${title ?? kind} ${path}${routineParts.has(kind) ? `(${name})` : `.${name}`}`;
}
