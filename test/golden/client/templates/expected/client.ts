// Generated: change the metadata, not this file.
// From   documents/**\/*.{graphql,gql,ts,tsx,js} and query collections, as role admin sees their types
// Slice  sha256:74acca2f

import type { DocumentNode } from "graphql";

/** A document with the types of its result and variables. */
export interface TypedDocumentNode<Result, Variables> extends DocumentNode {
  readonly __apiType?: (variables: Variables) => Result;
}

/** Members of fragment AuthorLine in documents/parts/author-line.js. */
export type AuthorLineFragment = {
  readonly id: string;
  readonly name: string;
};

/** Variables of query Authors in documents/page.tsx. */
export interface AuthorsVariables {
  readonly limit?: number | null;
}

/** Result of query Authors in documents/page.tsx. */
export type AuthorsResult = {
  readonly author: readonly ({
    readonly id: string;
    readonly name: string;
  })[];
};

/** Query Authors in documents/page.tsx */
export const AuthorsDocument = { kind: "Document", definitions: [{ kind: "OperationDefinition", operation: "query", name: { kind: "Name", value: "Authors" }, variableDefinitions: [{ kind: "VariableDefinition", variable: { kind: "Variable", name: { kind: "Name", value: "limit" } }, type: { kind: "NamedType", name: { kind: "Name", value: "Int" } }, directives: [] }], directives: [], selectionSet: { kind: "SelectionSet", selections: [{ kind: "Field", name: { kind: "Name", value: "author" }, arguments: [{ kind: "Argument", name: { kind: "Name", value: "limit" }, value: { kind: "Variable", name: { kind: "Name", value: "limit" } } }, { kind: "Argument", name: { kind: "Name", value: "where" }, value: { kind: "ObjectValue", fields: [{ kind: "ObjectField", name: { kind: "Name", value: "name" }, value: { kind: "ObjectValue", fields: [{ kind: "ObjectField", name: { kind: "Name", value: "_eq" }, value: { kind: "StringValue", value: "}", block: false } }] } }] } }], directives: [], selectionSet: { kind: "SelectionSet", selections: [{ kind: "FragmentSpread", name: { kind: "Name", value: "AuthorLine" }, directives: [] }] } }] } }, { kind: "FragmentDefinition", name: { kind: "Name", value: "AuthorLine" }, typeCondition: { kind: "NamedType", name: { kind: "Name", value: "author" } }, directives: [], selectionSet: { kind: "SelectionSet", selections: [{ kind: "Field", name: { kind: "Name", value: "id" }, arguments: [], directives: [] }, { kind: "Field", name: { kind: "Name", value: "name" }, arguments: [], directives: [] }] } }] } as unknown as TypedDocumentNode<AuthorsResult, AuthorsVariables>;

/** Variables of query OneAuthor in documents/page.tsx. */
export interface OneAuthorVariables {
  readonly id: string;
}

/** Result of query OneAuthor in documents/page.tsx. */
export type OneAuthorResult = {
  readonly author_by_pk: {
    readonly id: string;
    readonly name: string;
  } | null;
};

/** Query OneAuthor in documents/page.tsx */
export const OneAuthorDocument = { kind: "Document", definitions: [{ kind: "OperationDefinition", operation: "query", name: { kind: "Name", value: "OneAuthor" }, variableDefinitions: [{ kind: "VariableDefinition", variable: { kind: "Variable", name: { kind: "Name", value: "id" } }, type: { kind: "NonNullType", type: { kind: "NamedType", name: { kind: "Name", value: "uuid" } } }, directives: [] }], directives: [], selectionSet: { kind: "SelectionSet", selections: [{ kind: "Field", name: { kind: "Name", value: "author_by_pk" }, arguments: [{ kind: "Argument", name: { kind: "Name", value: "id" }, value: { kind: "Variable", name: { kind: "Name", value: "id" } } }], directives: [], selectionSet: { kind: "SelectionSet", selections: [{ kind: "FragmentSpread", name: { kind: "Name", value: "AuthorLine" }, directives: [] }] } }] } }, { kind: "FragmentDefinition", name: { kind: "Name", value: "AuthorLine" }, typeCondition: { kind: "NamedType", name: { kind: "Name", value: "author" } }, directives: [], selectionSet: { kind: "SelectionSet", selections: [{ kind: "Field", name: { kind: "Name", value: "id" }, arguments: [], directives: [] }, { kind: "Field", name: { kind: "Name", value: "name" }, arguments: [], directives: [] }] } }] } as unknown as TypedDocumentNode<OneAuthorResult, OneAuthorVariables>;
