/** What an executor knows when it comes to a root field → an operation with this field alone. */
import {
  type ASTVisitor,
  type DefinitionNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isAbstractType,
  Kind,
  print,
  type SelectionNode,
  type SelectionSetNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from "graphql";
import type { GraphqlRequest } from "../../ports/graphql.ts";
import { refusePrototypeKeys } from "../../values/parse-json.ts";

type Asked = Pick<GraphQLResolveInfo, "fieldNodes" | "fragments" | "operation" | "schema" | "variableValues">;

/**
 * The field under its response key, with the fragments and variables that it uses.
 * @throws EngineError `parse-failed` for values that requests must not have
 */
export function rootFieldRequest(info: Asked): GraphqlRequest {
  const { operation, variableValues } = info;
  const selections = info.fieldNodes;
  const { fragments, variables } = usesOf(selections, info.fragments);
  const variableDefinitions = operation.variableDefinitions?.filter(({ variable }) =>
    variables.has(variable.name.value),
  );
  const definition: DefinitionNode = {
    kind: Kind.OPERATION_DEFINITION,
    operation: operation.operation,
    ...(variableDefinitions && { variableDefinitions }),
    selectionSet: { kind: Kind.SELECTION_SET, selections },
  };
  const values = Object.fromEntries(Object.entries(variableValues).filter(([name]) => variables.has(name)));
  // Whoever parsed the request may have let them in.
  refusePrototypeKeys(values, "$.variables");
  return {
    query: print(withTypes({ kind: Kind.DOCUMENT, definitions: [definition, ...fragments] }, info.schema)),
    operationName: null,
    variables: values,
  };
}

/** The operation and all fragments of its document, in the order of its text. */
export function wholeRequest({
  operation,
  fragments,
  variableValues,
}: Omit<Asked, "fieldNodes" | "schema">): GraphqlRequest {
  const definitions: readonly DefinitionNode[] = [operation, ...Object.values(fragments)];
  const startOf = ({ loc }: DefinitionNode): number => loc?.start ?? 0;
  const inOrder = [...definitions].sort((a, b) => startOf(a) - startOf(b));
  return {
    query: print({ kind: Kind.DOCUMENT, definitions: inOrder }),
    operationName: null,
    variables: variableValues,
  };
}

/** Executors have to know which type of several a value has. */
function withTypes(document: DocumentNode, schema: GraphQLSchema): DocumentNode {
  if (!hasAbstractTypes(schema)) return document;
  const types = new TypeInfo(schema);
  const visitor: ASTVisitor = {
    SelectionSet: {
      leave: (node) => (isAbstractType(types.getParentType()) ? withTypename(node) : undefined),
    },
  };
  return visit(document, visitWithTypeInfo(types, visitor));
}

function withTypename(node: SelectionSetNode): SelectionSetNode {
  return {
    ...node,
    selections: [{ kind: Kind.FIELD, name: { kind: Kind.NAME, value: "__typename" } }, ...node.selections],
  };
}

const known = new WeakMap<GraphQLSchema, boolean>();

function hasAbstractTypes(schema: GraphQLSchema): boolean {
  let found = known.get(schema);
  if (found === undefined) {
    found = Object.values(schema.getTypeMap()).some(isAbstractType);
    known.set(schema, found);
  }
  return found;
}

/** The fragments that a selection spreads, whichever way it comes to them, and the variables of all of it. */
function usesOf(
  selections: readonly SelectionNode[],
  known: GraphQLResolveInfo["fragments"],
): { readonly fragments: Iterable<FragmentDefinitionNode>; readonly variables: ReadonlySet<string> } {
  const variables = new Set<string>();
  const fragments = new Map<string, FragmentDefinitionNode>();
  const collect = {
    Variable: ({ name }: { readonly name: { readonly value: string } }) => {
      variables.add(name.value);
    },
    FragmentSpread: ({ name }: { readonly name: { readonly value: string } }) => {
      const fragment = known[name.value];
      if (fragment) fragments.set(name.value, fragment);
    },
  };
  visit({ kind: Kind.SELECTION_SET, selections }, collect);
  // Those that are found on the way are met later.
  for (const fragment of fragments.values()) visit(fragment, collect);
  return { fragments: fragments.values(), variables };
}
