/** Nested logical models: rows that are JSON values in a column. */

/** Rows as JSON in a column: a list of objects, or a single object. */
export interface JsonDocument {
  /** Quoted name of the column. */
  readonly column: string;
  readonly list: boolean;
  readonly members: readonly {
    readonly key: string;
    /** Quoted name as a column. */
    readonly sql: string;
    readonly type: string;
    /** The member itself contains a nested model. */
    readonly nested?: true;
  }[];
}

/** Column with the index of a row in its list. No member can have this name. */
export const documentPlace = "place in the list";
