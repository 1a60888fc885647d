// Generated: change the metadata, not this file.
// From   documents/**\/*.{graphql,gql,ts,tsx,js} and query collections, as role admin sees their types
// Slice  sha256:03d6a015

import type { DocumentNode } from "graphql";

/** A document with the types of its result and variables. */
export interface TypedDocumentNode<Result, Variables> extends DocumentNode {
  readonly __apiType?: (variables: Variables) => Result;
}

/** Members of fragment BookParts in documents/all.graphql. */
export type BookPartsFragment = {
  readonly label: string;
  readonly pages: number | null;
};

/** Members of fragment AnyNode in documents/all.graphql. */
export type AnyNodeFragment = {
  readonly id: string;
};

/** Variables of query Node in documents/all.graphql. */
export interface NodeVariables {
  readonly id: string;
}

/** Result of query Node in documents/all.graphql. */
export type NodeResult = {
  readonly node: {
    readonly __typename: "author";
    readonly id: string;
    readonly name: string;
  } | {
    readonly __typename: "book";
    readonly id: string;
    readonly label: string;
    readonly pages: number | null;
  } | {
    readonly __typename: "shelf";
    readonly id: string;
  } | null;
};

/** Query Node in documents/all.graphql */
export const NodeDocument = { kind: "Document", definitions: [{ kind: "OperationDefinition", operation: "query", name: { kind: "Name", value: "Node" }, variableDefinitions: [{ kind: "VariableDefinition", variable: { kind: "Variable", name: { kind: "Name", value: "id" } }, type: { kind: "NonNullType", type: { kind: "NamedType", name: { kind: "Name", value: "ID" } } }, directives: [] }], directives: [], selectionSet: { kind: "SelectionSet", selections: [{ kind: "Field", name: { kind: "Name", value: "node" }, arguments: [{ kind: "Argument", name: { kind: "Name", value: "id" }, value: { kind: "Variable", name: { kind: "Name", value: "id" } } }], directives: [], selectionSet: { kind: "SelectionSet", selections: [{ kind: "Field", name: { kind: "Name", value: "__typename" }, arguments: [], directives: [] }, { kind: "Field", name: { kind: "Name", value: "id" }, arguments: [], directives: [] }, { kind: "InlineFragment", typeCondition: { kind: "NamedType", name: { kind: "Name", value: "author" } }, directives: [], selectionSet: { kind: "SelectionSet", selections: [{ kind: "Field", name: { kind: "Name", value: "name" }, arguments: [], directives: [] }] } }, { kind: "FragmentSpread", name: { kind: "Name", value: "BookParts" }, directives: [] }] } }] } }, { kind: "FragmentDefinition", name: { kind: "Name", value: "BookParts" }, typeCondition: { kind: "NamedType", name: { kind: "Name", value: "book" } }, directives: [], selectionSet: { kind: "SelectionSet", selections: [{ kind: "Field", alias: { kind: "Name", value: "label" }, name: { kind: "Name", value: "title" }, arguments: [], directives: [] }, { kind: "Field", name: { kind: "Name", value: "pages" }, arguments: [], directives: [] }] } }] } as unknown as TypedDocumentNode<NodeResult, NodeVariables>;

/** Variables of query Search in documents/all.graphql. */
export interface SearchVariables {
  readonly text: string;
}

/** Result of query Search in documents/all.graphql. */
export type SearchResult = {
  readonly search: readonly ({
    readonly id: string;
    readonly label: string;
  } | {
    readonly id: string;
    readonly label: string;
    readonly pages: number | null;
  })[];
};

/** Query Search in documents/all.graphql */
export const SearchDocument = { kind: "Document", definitions: [{ kind: "OperationDefinition", operation: "query", name: { kind: "Name", value: "Search" }, variableDefinitions: [{ kind: "VariableDefinition", variable: { kind: "Variable", name: { kind: "Name", value: "text" } }, type: { kind: "NonNullType", type: { kind: "NamedType", name: { kind: "Name", value: "String" } } }, directives: [] }], directives: [], selectionSet: { kind: "SelectionSet", selections: [{ kind: "Field", name: { kind: "Name", value: "search" }, arguments: [{ kind: "Argument", name: { kind: "Name", value: "text" }, value: { kind: "Variable", name: { kind: "Name", value: "text" } } }], directives: [], selectionSet: { kind: "SelectionSet", selections: [{ kind: "InlineFragment", typeCondition: { kind: "NamedType", name: { kind: "Name", value: "Node" } }, directives: [], selectionSet: { kind: "SelectionSet", selections: [{ kind: "Field", name: { kind: "Name", value: "id" }, arguments: [], directives: [] }] } }, { kind: "InlineFragment", typeCondition: { kind: "NamedType", name: { kind: "Name", value: "author" } }, directives: [], selectionSet: { kind: "SelectionSet", selections: [{ kind: "Field", alias: { kind: "Name", value: "label" }, name: { kind: "Name", value: "name" }, arguments: [], directives: [] }] } }, { kind: "FragmentSpread", name: { kind: "Name", value: "BookParts" }, directives: [] }] } }] } }, { kind: "FragmentDefinition", name: { kind: "Name", value: "BookParts" }, typeCondition: { kind: "NamedType", name: { kind: "Name", value: "book" } }, directives: [], selectionSet: { kind: "SelectionSet", selections: [{ kind: "Field", alias: { kind: "Name", value: "label" }, name: { kind: "Name", value: "title" }, arguments: [], directives: [] }, { kind: "Field", name: { kind: "Name", value: "pages" }, arguments: [], directives: [] }] } }] } as unknown as TypedDocumentNode<SearchResult, SearchVariables>;

/** Variables of query Pets in documents/all.graphql. */
export type PetsVariables = Readonly<Record<string, never>>;

/** Result of query Pets in documents/all.graphql. */
export type PetsResult = {
  readonly pets: readonly ({
    readonly name: string;
    readonly owner: {
      readonly name: string;
    } | null;
  } | {
    readonly name: string | null;
    readonly owner: {
      readonly name: string;
    } | null;
    readonly sound: string;
  })[];
};

/** Query Pets in documents/all.graphql */
export const PetsDocument = { kind: "Document", definitions: [{ kind: "OperationDefinition", operation: "query", name: { kind: "Name", value: "Pets" }, variableDefinitions: [], directives: [], selectionSet: { kind: "SelectionSet", selections: [{ kind: "Field", name: { kind: "Name", value: "pets" }, arguments: [], directives: [], selectionSet: { kind: "SelectionSet", selections: [{ kind: "Field", name: { kind: "Name", value: "name" }, arguments: [], directives: [] }, { kind: "Field", name: { kind: "Name", value: "owner" }, arguments: [], directives: [], selectionSet: { kind: "SelectionSet", selections: [{ kind: "Field", name: { kind: "Name", value: "name" }, arguments: [], directives: [] }] } }, { kind: "InlineFragment", typeCondition: { kind: "NamedType", name: { kind: "Name", value: "Loud" } }, directives: [], selectionSet: { kind: "SelectionSet", selections: [{ kind: "Field", name: { kind: "Name", value: "sound" }, arguments: [], directives: [] }] } }] } }] } }] } as unknown as TypedDocumentNode<PetsResult, PetsVariables>;
