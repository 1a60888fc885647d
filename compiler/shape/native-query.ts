/** Asking a database about a native query (`metadata-api.md` 2.17): what to ask, and what it can answer. */

/** A native query, and what its model expects of it. */
export interface NativeQueryQuestion {
  /** SQL in which `{{name}}` stands for an argument. */
  readonly code: string;
  /** Types by the names of arguments, as the metadata writes them. */
  readonly arguments: Readonly<Record<string, string>>;
  /** Types by the names of the model's fields; of nested models that of JSON. */
  readonly columns: Readonly<Record<string, string>>;
}

/** The columns of the model that the query gives, with their types, or why the database refuses the query. */
export type NativeQueryCheck =
  | { readonly columns: ReadonlyMap<string, NativeColumn> }
  | { readonly error: { readonly message: string; readonly internal?: unknown } };

export interface NativeColumn {
  /** As the database names it. */
  readonly type: string;
  /** The type that the model says, as the database names it; `null`: there is none of that name. */
  readonly expected: string | null;
}
