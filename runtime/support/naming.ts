/** How GraphQL names are put together from a table's base name (`graphql-api.md` 2.4, 2.6, 2.7). */

export interface Naming {
  /** A type of a table: its object type without `suffix`, else `author_bool_exp` and the like. */
  type(base: string, suffix?: string): string;
  /** A field or argument of several words, written with underscores. */
  field(name: string): string;
  /** The field beside a relationship: `articles` and `aggregate`. */
  joinedField(base: string, suffix: string): string;
}

export interface TypeNameCustomization {
  readonly typePrefix?: string;
  readonly typeSuffix?: string;
}

/** The convention `engine-default`: parts joined by underscores. */
export function engineDefault({ typePrefix = "", typeSuffix = "" }: TypeNameCustomization = {}): Naming {
  return {
    type: (base, suffix) => `${typePrefix}${suffix === undefined ? base : `${base}_${suffix}`}${typeSuffix}`,
    field: (name) => name,
    joinedField: (base, suffix) => `${base}_${suffix}`,
  };
}
