/** How GraphQL names are put together from a table's base name (`graphql-api.md` 2.4, 2.6, 2.7). */

export interface Naming {
  /** A type of a table: its object type without `suffix`, else `author_bool_exp` and the like. */
  type(base: string, suffix?: string): string;
  /**
   * A type that no table gives its name: `Int_comparison_exp`, `order_by`. Those of the source's own go through
   * `type`, too.
   * @param rest the GraphQL name of something else, which stays one part of the name
   */
  commonType(name: string, rest?: string): string;
  /** A field or argument of several words, written with underscores. */
  field(name: string): string;
  /** A finished name with words behind it: `articles` and `aggregate`. */
  joined(base: string, suffix: string): string;
  /** A value of an enum table, or of `order_by`. */
  enumValue(text: string): string;
  /** Whether `enumValue` writes upper case. */
  readonly upperCaseValues: boolean;
}

export interface TypeNameCustomization {
  readonly typePrefix?: string;
  readonly typeSuffix?: string;
}

/** The convention `engine-default`: parts joined by underscores. */
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

/** The convention `graphql-default`: fields in camelCase, types in PascalCase, values of enums in upper case. */
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

/** Whether GraphQL allows a name. */
export const isName = (name: string): boolean => /^[_A-Za-z][_0-9A-Za-z]*$/.test(name);

const notEnumValues: ReadonlySet<string> = new Set(["true", "false", "null"]);

/** Whether GraphQL allows a name for the value of an enum (October 2021, 3.9). */
export const isEnumValueName = (name: string): boolean => isName(name) && !notEnumValues.has(name);

/**
 * A GraphQL name made from any text: each character that names cannot have becomes `_`, and a leading digit gets one in
 * front. Several leading underscores, which GraphQL reserves for introspection (October 2021, 2.1.9), become one.
 */
export function nameFrom(text: string): string {
  if (isName(text) && !text.startsWith("__")) return text;
  return text.replace(/[^_0-9A-Za-z]/g, "_").replace(/^_+|^(?=[0-9])/, "_");
}

/** A name between a prefix and a suffix in `graphql-default`: only what comes first keeps its first letter. */
export function affixed(name: string, prefix: string, suffix: string): string {
  return `${prefix}${prefix === "" ? name : upperFirst(name)}${upperFirst(suffix)}`;
}

/** The words of a name written with underscores; leading ones stay with the first word. */
export function splitWords(text: string): readonly string[] {
  const [leading = ""] = /^_*/.exec(text) ?? [];
  const [first = "", ...others] = text.slice(leading.length).split("_");
  return [`${leading}${first}`, ...others].filter((word) => word !== "");
}

/** `author_local` → `authorLocal`. */
export function camelCase(name: string): string {
  return splitWords(name)
    .map((word, i) => (i === 0 ? lowerFirst(word) : upperFirst(word)))
    .join("");
}

/** `author_local` → `AuthorLocal`. */
export function pascalCase(name: string): string {
  return splitWords(name).map(upperFirst).join("");
}

export function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
