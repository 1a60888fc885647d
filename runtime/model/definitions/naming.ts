/** Naming conventions: GraphQL names derived from a table's base name. */

export interface Naming {
  /** Returns a type name of a table: its object type without `suffix`, otherwise a name such as `author_bool_exp`. */
  type(base: string, suffix?: string): string;
  /**
   * Returns a type name that does not belong to a table: `Int_comparison_exp`, `order_by`. Names of the source's own
   * types are also passed through `type`.
   * @param rest a GraphQL name that is kept as one part of the name
   */
  commonType(name: string, rest?: string): string;
  /** Returns the name of a field or argument with several words, written with underscores. */
  field(name: string): string;
  /** Appends a suffix to a final name: `articles` and `aggregate`. */
  joined(base: string, suffix: string): string;
  /** Returns the name of a value of an enum table, or of `order_by`. */
  enumValue(text: string): string;
  /** `enumValue` converts to upper case. */
  readonly upperCaseValues: boolean;
}

export interface TypeNameCustomization {
  readonly typePrefix?: string;
  readonly typeSuffix?: string;
}

/** Returns the convention `engine-default`, which joins parts with underscores. */
export function engineDefault({ typePrefix = "", typeSuffix = "" }: TypeNameCustomization = {}): Naming {
  const join = (first: string, second?: string) => (second === undefined ? first : `${first}_${second}`);
  return {
    type: (base, suffix) => `${typePrefix}${join(base, suffix)}${typeSuffix}`,
    commonType: join,
    field: (name) => name,
    joined: join,
    enumValue: (text) => text,
    upperCaseValues: false,
  };
}

/** Returns the convention `graphql-default`: fields in camelCase, types in PascalCase, enum values in upper case. */
export function graphqlDefault({ typePrefix = "", typeSuffix = "" }: TypeNameCustomization = {}): Naming {
  const afterBase = (suffix = "") => splitWords(suffix).map(upperFirst).join("");
  return {
    type: (base, suffix) => affixed(`${base}${afterBase(suffix)}`, typePrefix, typeSuffix),
    commonType: (name, rest = "") => `${pascalCase(name)}${upperFirst(rest)}`,
    field: camelCase,
    joined: (base, suffix) => `${base}${afterBase(suffix)}`,
    enumValue: (text) => text.toUpperCase(),
    upperCaseValues: true,
  };
}

/** Last part of the names of inputs for conditions on aggregates of related rows. */
export const predicateSuffix = "aggregate_bool_exp";

/** Returns true for a valid GraphQL name. */
export const isName = (name: string): boolean => /^[_A-Za-z][_0-9A-Za-z]*$/.test(name);

const notEnumValues: ReadonlySet<string> = new Set(["true", "false", "null"]);

/** Returns true for a valid name of a GraphQL enum value (October 2021, 3.9). */
export const isEnumValueName = (name: string): boolean => isName(name) && !notEnumValues.has(name);

/**
 * Converts any text to a GraphQL name: invalid characters become `_`, and a leading digit gets a `_` before it. Several
 * leading underscores, which GraphQL reserves for introspection (October 2021, 2.1.9), become one.
 */
export function nameFrom(text: string): string {
  if (isName(text) && !text.startsWith("__")) return text;
  return text.replace(/[^_0-9A-Za-z]/g, "_").replace(/^_+|^(?=[0-9])/, "_");
}

/** Adds prefix and suffix in `graphql-default`: only the first part keeps the case of its first letter. */
export function affixed(name: string, prefix: string, suffix: string): string {
  return `${prefix}${prefix === "" ? name : upperFirst(name)}${upperFirst(suffix)}`;
}

/** Splits a name at underscores; leading underscores are kept with the first word. */
export function splitWords(text: string): readonly string[] {
  const [leading = ""] = /^_*/.exec(text) ?? [];
  const [first = "", ...others] = text.slice(leading.length).split("_");
  return [`${leading}${first}`, ...others].filter((word) => word !== "");
}

/** Converts `author_local` to `authorLocal`. */
export function camelCase(name: string): string {
  return splitWords(name)
    .map((word, i) => (i === 0 ? lowerFirst(word) : upperFirst(word)))
    .join("");
}

/** Converts `author_local` to `AuthorLocal`. */
export function pascalCase(name: string): string {
  return splitWords(name).map(upperFirst).join("");
}

export function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
