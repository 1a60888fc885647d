// Generated: change the metadata, not this file.
// From   documents/**\/*.{graphql,gql,ts,tsx,js} and query collections, as role admin sees their types
// Slice  sha256:31c26d46

import type { DocumentNode } from "graphql";

/** A document with the types of its result and variables. */
export interface TypedDocumentNode<Result, Variables> extends DocumentNode {
  readonly __apiType?: (variables: Variables) => Result;
}

/** Variables of query Nearest in documents/nearest.graphql. */
export interface NearestVariables {
  readonly question: readonly number[] | string;
  readonly order?: readonly PassageOrderBy[] | null;
  readonly few?: PassageTopPer | null;
}

/** Result of query Nearest in documents/nearest.graphql. */
export type NearestResult = {
  readonly passage: readonly ({
    readonly id: number;
    readonly embedding: readonly number[] | null;
  })[];
  readonly ordered: readonly ({
    readonly embedding: readonly number[] | null;
  })[];
};

/** Query Nearest in documents/nearest.graphql */
export const NearestDocument = { kind: "Document", definitions: [{ kind: "OperationDefinition", operation: "query", name: { kind: "Name", value: "Nearest" }, variableDefinitions: [{ kind: "VariableDefinition", variable: { kind: "Variable", name: { kind: "Name", value: "question" } }, type: { kind: "NonNullType", type: { kind: "NamedType", name: { kind: "Name", value: "vector" } } }, directives: [] }, { kind: "VariableDefinition", variable: { kind: "Variable", name: { kind: "Name", value: "order" } }, type: { kind: "ListType", type: { kind: "NonNullType", type: { kind: "NamedType", name: { kind: "Name", value: "passage_order_by" } } } }, directives: [] }, { kind: "VariableDefinition", variable: { kind: "Variable", name: { kind: "Name", value: "few" } }, type: { kind: "NamedType", name: { kind: "Name", value: "passage_top_per" } }, directives: [] }], directives: [], selectionSet: { kind: "SelectionSet", selections: [{ kind: "Field", name: { kind: "Name", value: "passage" }, arguments: [{ kind: "Argument", name: { kind: "Name", value: "order_by" }, value: { kind: "ListValue", values: [{ kind: "ObjectValue", fields: [{ kind: "ObjectField", name: { kind: "Name", value: "embedding_cosine_distance" }, value: { kind: "ObjectValue", fields: [{ kind: "ObjectField", name: { kind: "Name", value: "to" }, value: { kind: "Variable", name: { kind: "Name", value: "question" } } }] } }] }] } }, { kind: "Argument", name: { kind: "Name", value: "limit" }, value: { kind: "IntValue", value: "3" } }], directives: [], selectionSet: { kind: "SelectionSet", selections: [{ kind: "Field", name: { kind: "Name", value: "id" }, arguments: [], directives: [] }, { kind: "Field", name: { kind: "Name", value: "embedding" }, arguments: [], directives: [] }] } }, { kind: "Field", alias: { kind: "Name", value: "ordered" }, name: { kind: "Name", value: "passage" }, arguments: [{ kind: "Argument", name: { kind: "Name", value: "order_by" }, value: { kind: "Variable", name: { kind: "Name", value: "order" } } }, { kind: "Argument", name: { kind: "Name", value: "top_per" }, value: { kind: "Variable", name: { kind: "Name", value: "few" } } }], directives: [], selectionSet: { kind: "SelectionSet", selections: [{ kind: "Field", name: { kind: "Name", value: "embedding" }, arguments: [], directives: [] }] } }] } }] } as unknown as TypedDocumentNode<NearestResult, NearestVariables>;

export interface PassageOrderBy {
  readonly id?: OrderBy | null;
  readonly embedding_cosine_distance?: VectorDistanceOrderBy | null;
}

export type OrderBy = "asc" | "desc";

export interface VectorDistanceOrderBy {
  readonly to: readonly number[] | string;
  readonly order?: OrderBy | null;
}

export interface PassageTopPer {
  readonly columns: readonly PassageSelectColumn[];
  readonly limit: number;
}

export type PassageSelectColumn = "id" | "document_id";
