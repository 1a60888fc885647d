/** Compares a database with the shape that an artifact was built for, and classifies the differences. */
import { type DatabaseFact, type Definitions, type EnumTable, routineParts } from "../../values/database-fact.ts";

export interface Drift {
  /** Differences that only cause warnings, one line each. */
  readonly harmless: readonly string[];
  /** Differences that prevent the start, one line each. */
  readonly harmful: readonly string[];
}

export interface FoundFacts {
  readonly facts: readonly DatabaseFact[];
  /** `null` if the definitions were not read. */
  readonly definitions: Definitions | null;
}

export interface ExpectedFacts {
  readonly facts: readonly DatabaseFact[];
  /** `null` if the shape was saved without definitions. */
  readonly definitions: Definitions | null;
  /** The schemas and names of tracked tables and functions. */
  readonly tracked: readonly (readonly [string, string])[];
  /** The tables that are enums. */
  readonly enums: readonly EnumTable[];
}

/**
 * Returns all differences. Differences of untracked tables are harmless. Additions to tracked tables are harmless
 * except for columns that inserts must set and for enum values, which clients' schemas lack. Untracked functions are
 * ignored, but an overload of a tracked function makes calls ambiguous. For definitions, `definitionParts` lists the
 * harmless differences.
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
  const compare = (expected: readonly DatabaseFact[], current: readonly DatabaseFact[]): void => {
    const before = byKey(expected);
    const now = byKey(current);
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
  const reason = reasonNotCompared(definitions, found.definitions);
  if (reason !== undefined) harmless.push(`definitions of views, functions, policies, triggers and defaults ${reason}`);
  else compare(definitions?.facts ?? [], found.definitions?.facts ?? []);
  return { harmless: harmless.sort(), harmful: harmful.sort() };
}

/** Returns the reason why definitions cannot be compared, if any. */
function reasonNotCompared(expected: Definitions | null, found: Definitions | null): string | undefined {
  if (expected === null || found === null) {
    return "were not compared: the shape does not contain them; save it again with `engine shape`, and rebuild";
  }
  const [before, now] = [expected.serverVersion, found.serverVersion];
  if (before === now) return undefined;
  return `were not compared: the shape is from version ${before} of the database server, which has version ${now} here`;
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

/**
 * The definitions that the drift check compares. The server refuses to start unless a difference is harmless.
 * `docs/how-to/sealed.md` contains the same table.
 */

interface DefinitionPart {
  /** The title in messages, before the name of the object. */
  readonly title: string;
  /** The effect of a difference, for messages. */
  readonly reason: string;
  /** The differences that only cause warnings. `added` receives the value. */
  readonly isHarmless?: {
    readonly changed?: boolean;
    readonly missing?: boolean;
    readonly added?: (value: string) => boolean;
  };
}

const alwaysHarmless = { changed: true, missing: true, added: () => true };

export const definitionParts = {
  view: { title: "definition of view", reason: "roles may read other rows or values" },
  "view options": { title: "options of view", reason: "the view may read rows with other privileges" },
  // Role names differ between installations; the privileges of the owner are compared separately.
  "view owner": {
    title: "owner of view",
    reason: "the view reads its tables with the privileges of its owner",
    isHarmless: alwaysHarmless,
  },
  "view owner rights": {
    title: "privileges of the owner of view",
    reason: "row security does not restrict reads of a view with such an owner",
    isHarmless: { missing: true },
  },
  "row security": { title: "row security of table", reason: "the database may let roles read or write other rows" },
  policy: { title: "policy", reason: "the database may let roles read or write other rows" },
  trigger: {
    title: "trigger",
    reason: "writes may store other values, fail, or have other effects",
    isHarmless: { added: (value) => value.startsWith("after ") },
  },
  rule: { title: "rule", reason: "statements may have other effects" },
  default: {
    title: "default",
    reason: "inserts without the column store another value",
    isHarmless: alwaysHarmless,
  },
  generated: { title: "generated column", reason: "the column has other values" },
  body: { title: "body of function", reason: "roles may read other rows or values, with other privileges" },
  "function owner": {
    title: "owner of function",
    reason: "the function runs with the privileges of its owner",
    isHarmless: alwaysHarmless,
  },
  "function owner rights": {
    title: "privileges of the owner of function",
    reason: "row security does not restrict a function with such an owner",
    isHarmless: { missing: true },
  },
  procedure: { title: "procedure", reason: "roles may read other rows or values, with other privileges" },
} as const satisfies Readonly<Record<string, DefinitionPart>>;

function isDefinitionPart(kind: string): kind is keyof typeof definitionParts {
  return Object.hasOwn(definitionParts, kind);
}
