/** Builds an operation with a single root field from the resolver arguments of an executor. */
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
import { refusePrototypeKeys } from "../../values/json/parse.ts";

type FieldInfo = Pick<GraphQLResolveInfo, "fieldNodes" | "fragments" | "operation" | "schema" | "variableValues">;

/**
 * Returns an operation with the field under its response key and the fragments and variables that it uses.
 * @throws EngineError `parse-failed` for values that requests must not contain
 */
export function rootFieldRequest(info: FieldInfo): GraphqlRequest {
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
  // The executor may have accepted keys such as `__proto__`.
  refusePrototypeKeys(values, "$.variables");
  return {
    query: print(withTypes({ kind: Kind.DOCUMENT, definitions: [definition, ...fragments] }, info.schema)),
    operationName: null,
    variables: values,
  };
}

/** Returns the operation and all fragments of its document, in the order of the text. */
export function wholeRequest({
  operation,
  fragments,
  variableValues,
}: Omit<FieldInfo, "fieldNodes" | "schema">): GraphqlRequest {
  const definitions: readonly DefinitionNode[] = [operation, ...Object.values(fragments)];
  const startOf = ({ loc }: DefinitionNode): number => loc?.start ?? 0;
  const inOrder = [...definitions].sort((a, b) => startOf(a) - startOf(b));
  return {
    query: print({ kind: Kind.DOCUMENT, definitions: inOrder }),
    operationName: null,
    variables: variableValues,
  };
}

/** Adds `__typename` to selections on abstract types, because executors need it to resolve the type. */
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

/**
 * Returns the fragments that a selection uses, directly or indirectly, and the variables in the selection and its
 * fragments.
 */
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
  // Fragments found during the iteration are visited later in it.
  for (const fragment of fragments.values()) visit(fragment, collect);
  return { fragments: fragments.values(), variables };
}
