/** Validation of native queries in their database: the request and its result. */

/** A native query with the types that its model expects. */
export interface NativeQueryInput {
  /** SQL with `{{name}}` placeholders for arguments. */
  readonly code: string;
  /** Types by argument name, as written in the metadata. */
  readonly arguments: Readonly<Record<string, string>>;
  /** Types by field name of the model; nested models have the JSON type. */
  readonly columns: Readonly<Record<string, string>>;
}

/** Types of the model's columns in the result of the query, or the database error. */
export type NativeQueryCheck =
  | { readonly columns: ReadonlyMap<string, NativeColumn> }
  | { readonly error: { readonly message: string; readonly internal?: unknown } };

export interface NativeColumn {
  /** Name of the type in the database. */
  readonly type: string;
  /** Database name of the type in the model; `null` if there is no such type. */
  readonly expected: string | null;
}
