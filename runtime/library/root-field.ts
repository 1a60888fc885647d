/** What an executor knows when it comes to a root field → an operation with this field alone. */
import {
  type DefinitionNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLResolveInfo,
  getNamedType,
  isAbstractType,
  Kind,
  print,
  type SelectionNode,
  visit,
} from "graphql";
import type { GraphqlRequest } from "../ports/graphql.ts";
import { refusePrototypeKeys } from "../values/parse-json.ts";

type Asked = Pick<GraphQLResolveInfo, "fieldNodes" | "fragments" | "operation" | "returnType" | "variableValues">;

/**
 * The field under its response key, with the fragments and variables that it uses.
 * @throws EngineError `parse-failed` for values that requests must not have
 */
export function rootFieldRequest(info: Asked): GraphqlRequest {
  const { operation, variableValues } = info;
  const selections = isAbstractType(getNamedType(info.returnType)) ? info.fieldNodes.map(withType) : info.fieldNodes;
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
    query: print({ kind: Kind.DOCUMENT, definitions: [definition, ...fragments] }),
    operationName: null,
    variables: values,
  };
}

/** The operation and all fragments of its document, in the order of its text. */
export function wholeRequest({ operation, fragments, variableValues }: Omit<Asked, "fieldNodes">): GraphqlRequest {
  const definitions: readonly DefinitionNode[] = [operation, ...Object.values(fragments)];
  const startOf = ({ loc }: DefinitionNode): number => loc?.start ?? 0;
  const inOrder = [...definitions].sort((a, b) => startOf(a) - startOf(b));
  return {
    query: print({ kind: Kind.DOCUMENT, definitions: inOrder }),
    operationName: null,
    variables: variableValues,
  };
}

/** Executors have to know which type of several a value has. The fields of root types are the only ones of such types. */
function withType(node: FieldNode): FieldNode {
  const typename: FieldNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: "__typename" } };
  const selected = node.selectionSet?.selections ?? [];
  return { ...node, selectionSet: { kind: Kind.SELECTION_SET, selections: [typename, ...selected] } };
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
