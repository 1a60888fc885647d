/** Rows that are values of a row: nested logical models. */

/** Rows as JSON in a column: a list of objects, or one. */
export interface JsonDocument {
  /** Quoted name of the column. */
  readonly column: string;
  readonly list: boolean;
  readonly members: readonly {
    readonly key: string;
    /** Quoted name as a column. */
    readonly sql: string;
    readonly type: string;
    /** It holds JSON itself. */
    readonly nested?: true;
  }[];
}

/** The column of the place of a row in a list; no member is called so. */
export const documentPlace = "place in the list";
