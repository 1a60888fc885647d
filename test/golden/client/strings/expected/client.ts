// Generated: change the metadata, not this file.
// From   documents/**\/*.{graphql,gql,ts,tsx,js} and query collections, as role reader sees their types
// Slice  sha256:50c53085

/** The text of an operation with the types of its result and variables. */
export type TypedDocumentString<Result, Variables> = string & {
  readonly __apiType?: (variables: Variables) => Result;
};

/** Members of fragment Numbers in documents/author.gql. */
export type NumbersFragment = {
  readonly fee: string | null;
  readonly followers: string;
  readonly settings: string;
};

/** Variables of query Author in documents/author.gql. */
export interface AuthorVariables {
  readonly first?: number | string | null;
  readonly escaped?: string | null;
}

/** Result of query Author in documents/author.gql. */
export type AuthorResult = {
  readonly author: readonly ({
    readonly fee: string | null;
    readonly followers: string;
    readonly settings: string;
  })[];
};

/** Query Author in documents/author.gql */
export const AuthorDocument = `query Author($first: bigint, $escaped: String = "\`\${a}\\\\") {
  author(where: {followers: {_gt: $first}, name: {_eq: $escaped}}) {
    ...Numbers
  }
}

fragment Numbers on author {
  fee
  followers
  settings
}` as TypedDocumentString<AuthorResult, AuthorVariables>;
