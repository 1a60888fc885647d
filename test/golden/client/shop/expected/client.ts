// Generated: change the metadata, not this file.
// From   documents/**\/*.{graphql,gql,ts,tsx,js} and query collections, as role admin sees their types
// Slice  sha256:ab1a8e0d

import type { DocumentNode } from "graphql";

/** A document with the types of its result and variables. */
export interface TypedDocumentNode<Result, Variables> extends DocumentNode {
  readonly __apiType?: (variables: Variables) => Result;
}

/** Members of fragment AuthorFields in documents/fragments.graphql. */
export type AuthorFieldsFragment = {
  readonly id: string;
  readonly name: string;
  readonly followers: number;
  readonly genre: GenreEnum | null;
  readonly tags: readonly (string | null)[] | null;
  readonly born: string | null;
};

/** Members of fragment Named in documents/fragments.graphql. */
export type NamedFragment = {
  readonly id: string;
  readonly name: string;
};

/** Members of fragment Unused in documents/fragments.graphql. */
export type UnusedFragment = {
  readonly title: string;
};

/** Variables of query Authors in documents/authors.graphql. */
export interface AuthorsVariables {
  readonly where?: AuthorBoolExp | null;
  readonly order?: readonly AuthorOrderBy[] | null;
  readonly withFee: boolean;
  readonly plain?: boolean | null;
}

/** Result of query Authors in documents/authors.graphql. */
export type AuthorsResult = {
  readonly authors: readonly ({
    readonly id: string;
    readonly name: string;
    readonly followers: number;
    readonly genre: GenreEnum | null;
    readonly tags: readonly (string | null)[] | null;
    readonly born: string | null;
    readonly __typename: "author";
    readonly fee?: number | null;
    readonly settings?: unknown;
    readonly books: readonly ({
      readonly title: string;
      readonly by?: {
        readonly id: string;
      };
    })[];
    readonly grid: readonly (readonly number[])[] | null;
  })[];
};

/** Query Authors in documents/authors.graphql */
export const AuthorsDocument = { kind: "Document", definitions: [{ kind: "OperationDefinition", operation: "query", name: { kind: "Name", value: "Authors" }, variableDefinitions: [{ kind: "VariableDefinition", variable: { kind: "Variable", name: { kind: "Name", value: "where" } }, type: { kind: "NamedType", name: { kind: "Name", value: "author_bool_exp" } }, directives: [] }, { kind: "VariableDefinition", variable: { kind: "Variable", name: { kind: "Name", value: "order" } }, type: { kind: "ListType", type: { kind: "NonNullType", type: { kind: "NamedType", name: { kind: "Name", value: "author_order_by" } } } }, defaultValue: { kind: "ListValue", values: [{ kind: "ObjectValue", fields: [{ kind: "ObjectField", name: { kind: "Name", value: "name" }, value: { kind: "EnumValue", value: "asc" } }] }] }, directives: [] }, { kind: "VariableDefinition", variable: { kind: "Variable", name: { kind: "Name", value: "withFee" } }, type: { kind: "NonNullType", type: { kind: "NamedType", name: { kind: "Name", value: "Boolean" } } }, directives: [] }, { kind: "VariableDefinition", variable: { kind: "Variable", name: { kind: "Name", value: "plain" } }, type: { kind: "NamedType", name: { kind: "Name", value: "Boolean" } }, defaultValue: { kind: "BooleanValue", value: false }, directives: [] }], directives: [], selectionSet: { kind: "SelectionSet", selections: [{ kind: "Field", alias: { kind: "Name", value: "authors" }, name: { kind: "Name", value: "author" }, arguments: [{ kind: "Argument", name: { kind: "Name", value: "where" }, value: { kind: "Variable", name: { kind: "Name", value: "where" } } }, { kind: "Argument", name: { kind: "Name", value: "order_by" }, value: { kind: "Variable", name: { kind: "Name", value: "order" } } }], directives: [], selectionSet: { kind: "SelectionSet", selections: [{ kind: "FragmentSpread", name: { kind: "Name", value: "AuthorFields" }, directives: [] }, { kind: "Field", name: { kind: "Name", value: "__typename" }, arguments: [], directives: [] }, { kind: "Field", name: { kind: "Name", value: "fee" }, arguments: [], directives: [{ kind: "Directive", name: { kind: "Name", value: "include" }, arguments: [{ kind: "Argument", name: { kind: "Name", value: "if" }, value: { kind: "Variable", name: { kind: "Name", value: "withFee" } } }] }] }, { kind: "InlineFragment", directives: [{ kind: "Directive", name: { kind: "Name", value: "skip" }, arguments: [{ kind: "Argument", name: { kind: "Name", value: "if" }, value: { kind: "Variable", name: { kind: "Name", value: "plain" } } }] }], selectionSet: { kind: "SelectionSet", selections: [{ kind: "Field", name: { kind: "Name", value: "settings" }, arguments: [], directives: [] }, { kind: "Field", name: { kind: "Name", value: "name" }, arguments: [], directives: [] }] } }, { kind: "Field", name: { kind: "Name", value: "books" }, arguments: [], directives: [], selectionSet: { kind: "SelectionSet", selections: [{ kind: "Field", name: { kind: "Name", value: "title" }, arguments: [], directives: [] }] } }, { kind: "Field", name: { kind: "Name", value: "books" }, arguments: [], directives: [{ kind: "Directive", name: { kind: "Name", value: "include" }, arguments: [{ kind: "Argument", name: { kind: "Name", value: "if" }, value: { kind: "Variable", name: { kind: "Name", value: "withFee" } } }] }], selectionSet: { kind: "SelectionSet", selections: [{ kind: "Field", alias: { kind: "Name", value: "by" }, name: { kind: "Name", value: "author" }, arguments: [], directives: [], selectionSet: { kind: "SelectionSet", selections: [{ kind: "Field", name: { kind: "Name", value: "id" }, arguments: [], directives: [] }] } }] } }, { kind: "Field", name: { kind: "Name", value: "grid" }, arguments: [], directives: [] }] } }] } }, { kind: "FragmentDefinition", name: { kind: "Name", value: "AuthorFields" }, typeCondition: { kind: "NamedType", name: { kind: "Name", value: "author" } }, directives: [], selectionSet: { kind: "SelectionSet", selections: [{ kind: "FragmentSpread", name: { kind: "Name", value: "Named" }, directives: [] }, { kind: "Field", name: { kind: "Name", value: "followers" }, arguments: [], directives: [] }, { kind: "Field", name: { kind: "Name", value: "genre" }, arguments: [], directives: [] }, { kind: "Field", name: { kind: "Name", value: "tags" }, arguments: [], directives: [] }, { kind: "Field", name: { kind: "Name", value: "born" }, arguments: [], directives: [] }] } }, { kind: "FragmentDefinition", name: { kind: "Name", value: "Named" }, typeCondition: { kind: "NamedType", name: { kind: "Name", value: "author" } }, directives: [], selectionSet: { kind: "SelectionSet", selections: [{ kind: "Field", name: { kind: "Name", value: "id" }, arguments: [], directives: [] }, { kind: "Field", name: { kind: "Name", value: "name" }, arguments: [], directives: [] }] } }] } as unknown as TypedDocumentNode<AuthorsResult, AuthorsVariables>;

/** Variables of query AuthorById in documents/authors.graphql. */
export interface AuthorByIdVariables {
  readonly id: string;
}

/** Result of query AuthorById in documents/authors.graphql. */
export type AuthorByIdResult = {
  readonly author_by_pk: {
    readonly id: string;
    readonly name: string;
    readonly followers: number;
    readonly genre: GenreEnum | null;
    readonly tags: readonly (string | null)[] | null;
    readonly born: string | null;
  } | null;
};

/** Query AuthorById in documents/authors.graphql */
export const AuthorByIdDocument = { kind: "Document", definitions: [{ kind: "OperationDefinition", operation: "query", name: { kind: "Name", value: "AuthorById" }, variableDefinitions: [{ kind: "VariableDefinition", variable: { kind: "Variable", name: { kind: "Name", value: "id" } }, type: { kind: "NonNullType", type: { kind: "NamedType", name: { kind: "Name", value: "uuid" } } }, directives: [] }], directives: [], selectionSet: { kind: "SelectionSet", selections: [{ kind: "Field", name: { kind: "Name", value: "author_by_pk" }, arguments: [{ kind: "Argument", name: { kind: "Name", value: "id" }, value: { kind: "Variable", name: { kind: "Name", value: "id" } } }], directives: [], selectionSet: { kind: "SelectionSet", selections: [{ kind: "FragmentSpread", name: { kind: "Name", value: "AuthorFields" }, directives: [] }] } }] } }, { kind: "FragmentDefinition", name: { kind: "Name", value: "AuthorFields" }, typeCondition: { kind: "NamedType", name: { kind: "Name", value: "author" } }, directives: [], selectionSet: { kind: "SelectionSet", selections: [{ kind: "FragmentSpread", name: { kind: "Name", value: "Named" }, directives: [] }, { kind: "Field", name: { kind: "Name", value: "followers" }, arguments: [], directives: [] }, { kind: "Field", name: { kind: "Name", value: "genre" }, arguments: [], directives: [] }, { kind: "Field", name: { kind: "Name", value: "tags" }, arguments: [], directives: [] }, { kind: "Field", name: { kind: "Name", value: "born" }, arguments: [], directives: [] }] } }, { kind: "FragmentDefinition", name: { kind: "Name", value: "Named" }, typeCondition: { kind: "NamedType", name: { kind: "Name", value: "author" } }, directives: [], selectionSet: { kind: "SelectionSet", selections: [{ kind: "Field", name: { kind: "Name", value: "id" }, arguments: [], directives: [] }, { kind: "Field", name: { kind: "Name", value: "name" }, arguments: [], directives: [] }] } }] } as unknown as TypedDocumentNode<AuthorByIdResult, AuthorByIdVariables>;

/** Variables of query Nothing in documents/authors.graphql. */
export type NothingVariables = Readonly<Record<string, never>>;

/** Result of query Nothing in documents/authors.graphql. */
export type NothingResult = {
  readonly __typename: "query_root";
};

/** Query Nothing in documents/authors.graphql */
export const NothingDocument = { kind: "Document", definitions: [{ kind: "OperationDefinition", operation: "query", name: { kind: "Name", value: "Nothing" }, variableDefinitions: [], directives: [], selectionSet: { kind: "SelectionSet", selections: [{ kind: "Field", name: { kind: "Name", value: "__typename" }, arguments: [], directives: [] }] } }] } as unknown as TypedDocumentNode<NothingResult, NothingVariables>;

/** Variables of mutation create_author in documents/writes.graphql. */
export interface CreateAuthorVariables {
  readonly author: AuthorInsertInput;
}

/** Result of mutation create_author in documents/writes.graphql. */
export type CreateAuthorResult = {
  readonly insert_author_one: {
    readonly id: string;
    readonly name: string;
  } | null;
  readonly delete_author: {
    readonly affected_rows: number;
    readonly returning: readonly ({
      readonly id: string;
      readonly name: string;
    })[];
  } | null;
};

/** Mutation create_author in documents/writes.graphql */
export const CreateAuthorDocument = { kind: "Document", definitions: [{ kind: "OperationDefinition", operation: "mutation", name: { kind: "Name", value: "create_author" }, variableDefinitions: [{ kind: "VariableDefinition", variable: { kind: "Variable", name: { kind: "Name", value: "author" } }, type: { kind: "NonNullType", type: { kind: "NamedType", name: { kind: "Name", value: "author_insert_input" } } }, directives: [] }], directives: [], selectionSet: { kind: "SelectionSet", selections: [{ kind: "Field", name: { kind: "Name", value: "insert_author_one" }, arguments: [{ kind: "Argument", name: { kind: "Name", value: "object" }, value: { kind: "Variable", name: { kind: "Name", value: "author" } } }], directives: [], selectionSet: { kind: "SelectionSet", selections: [{ kind: "FragmentSpread", name: { kind: "Name", value: "Named" }, directives: [] }] } }, { kind: "Field", name: { kind: "Name", value: "delete_author" }, arguments: [{ kind: "Argument", name: { kind: "Name", value: "where" }, value: { kind: "ObjectValue", fields: [{ kind: "ObjectField", name: { kind: "Name", value: "_not" }, value: { kind: "ObjectValue", fields: [{ kind: "ObjectField", name: { kind: "Name", value: "name" }, value: { kind: "ObjectValue", fields: [{ kind: "ObjectField", name: { kind: "Name", value: "_eq" }, value: { kind: "StringValue", value: "x", block: false } }] } }] } }] } }], directives: [], selectionSet: { kind: "SelectionSet", selections: [{ kind: "Field", name: { kind: "Name", value: "affected_rows" }, arguments: [], directives: [] }, { kind: "Field", name: { kind: "Name", value: "returning" }, arguments: [], directives: [], selectionSet: { kind: "SelectionSet", selections: [{ kind: "FragmentSpread", name: { kind: "Name", value: "Named" }, directives: [] }] } }] } }] } }, { kind: "FragmentDefinition", name: { kind: "Name", value: "Named" }, typeCondition: { kind: "NamedType", name: { kind: "Name", value: "author" } }, directives: [], selectionSet: { kind: "SelectionSet", selections: [{ kind: "Field", name: { kind: "Name", value: "id" }, arguments: [], directives: [] }, { kind: "Field", name: { kind: "Name", value: "name" }, arguments: [], directives: [] }] } }] } as unknown as TypedDocumentNode<CreateAuthorResult, CreateAuthorVariables>;

/** Variables of subscription Followers in documents/writes.graphql. */
export type FollowersVariables = Readonly<Record<string, never>>;

/** Result of subscription Followers in documents/writes.graphql. */
export type FollowersResult = {
  readonly author: readonly ({
    readonly followers: number;
  })[];
};

/** Subscription Followers in documents/writes.graphql */
export const FollowersDocument = { kind: "Document", definitions: [{ kind: "OperationDefinition", operation: "subscription", name: { kind: "Name", value: "Followers" }, variableDefinitions: [], directives: [], selectionSet: { kind: "SelectionSet", selections: [{ kind: "Field", name: { kind: "Name", value: "author" }, arguments: [{ kind: "Argument", name: { kind: "Name", value: "where" }, value: { kind: "ObjectValue", fields: [{ kind: "ObjectField", name: { kind: "Name", value: "followers" }, value: { kind: "ObjectValue", fields: [{ kind: "ObjectField", name: { kind: "Name", value: "_gt" }, value: { kind: "IntValue", value: "0" } }] } }] } }], directives: [], selectionSet: { kind: "SelectionSet", selections: [{ kind: "Field", name: { kind: "Name", value: "followers" }, arguments: [], directives: [] }] } }] } }] } as unknown as TypedDocumentNode<FollowersResult, FollowersVariables>;

export type GenreEnum = "crime" | "science_fiction";

/** Boolean expression of table author */
export interface AuthorBoolExp {
  readonly _and?: readonly AuthorBoolExp[] | null;
  readonly _not?: AuthorBoolExp | null;
  readonly name?: StringComparisonExp | null;
  readonly followers?: BigintComparisonExp | null;
}

export interface StringComparisonExp {
  readonly _eq?: string | null;
  readonly _in?: readonly string[] | null;
}

export interface BigintComparisonExp {
  readonly _gt?: number | string | null;
}

export interface AuthorOrderBy {
  readonly name?: OrderBy | null;
  readonly fee?: OrderBy | null;
}

export type OrderBy = "asc" | "desc";

export interface AuthorInsertInput {
  readonly name: string;
  readonly genre?: GenreEnum | null;
  readonly tags?: readonly (string | null)[] | null;
  readonly settings?: unknown;
}
