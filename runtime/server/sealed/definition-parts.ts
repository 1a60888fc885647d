/**
 * What the drift check compares of the SQL inside a database, and how much each difference matters: the server refuses
 * to start unless the difference is harmless. `docs/sealed.md` has the same table.
 */

export interface DefinitionPart {
  /** What messages call it, before the name of its object. */
  readonly title: string;
  /** Why a difference can matter, as messages say it. */
  readonly reason: string;
  /** Which differences only get a warning; absent: none. `added` is given the value. */
  readonly isHarmless?: {
    readonly changed?: boolean;
    readonly missing?: boolean;
    readonly added?: (value: string) => boolean;
  };
}

const alwaysHarmless = { changed: true, missing: true, added: () => true };

export const definitionParts = {
  view: { title: "definition of view", reason: "roles may read other rows or values" },
  "view options": { title: "options of view", reason: "the rows of the view may be read with other rights" },
  // Roles have other names in other installations; what they may do is a part of its own.
  "view owner": {
    title: "owner of view",
    reason: "the tables of the view are read with the rights of its owner",
    isHarmless: alwaysHarmless,
  },
  "view owner rights": {
    title: "rights of the owner of view",
    reason: "row security does not restrict what a view of such an owner reads",
    isHarmless: { missing: true },
  },
  "row security": { title: "row security of table", reason: "the database may let roles read or write other rows" },
  policy: { title: "policy", reason: "the database may let roles read or write other rows" },
  trigger: {
    title: "trigger",
    reason: "writes may store other values, fail, or have other effects",
    isHarmless: { added: (value) => value.startsWith("after ") },
  },
  rule: { title: "rule", reason: "statements may do something else" },
  default: {
    title: "default",
    reason: "inserts that leave the column out store another value",
    isHarmless: alwaysHarmless,
  },
  generated: { title: "generated column", reason: "the column has other values" },
  body: { title: "body of function", reason: "roles may read other rows or values, with other rights" },
  "function owner": {
    title: "owner of function",
    reason: "the function runs with the rights of its owner",
    isHarmless: alwaysHarmless,
  },
  "function owner rights": {
    title: "rights of the owner of function",
    reason: "row security does not restrict what a function of such an owner does",
    isHarmless: { missing: true },
  },
  procedure: { title: "procedure", reason: "roles may read other rows or values, with other rights" },
} as const satisfies Readonly<Record<string, DefinitionPart>>;

export function isDefinitionPart(kind: string): kind is keyof typeof definitionParts {
  return Object.hasOwn(definitionParts, kind);
}
