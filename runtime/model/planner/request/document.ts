/** Parses the text of a request into one operation with its fragments. */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  type VariableDefinitionNode,
} from "graphql";
import { EngineError, pathTo } from "../../../values/errors.ts";
import { didYouMean } from "../../../values/nearest-name.ts";
import { typeNodeText } from "../../definitions/saved/variable.ts";
import { type Budget, budgetOf, checkBudget, checkDepth, overBudget } from "./budget.ts";
import { checkDirectives, placeOf } from "./directives.ts";
import { measure, type OperationMeasure } from "./measure.ts";
import type { OpenLiterals } from "./open-literals.ts";

export interface Operation {
  /** The whole document. */
  readonly document: DocumentNode;
  readonly definition: OperationDefinitionNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly measure: OperationMeasure;
  /** Declared variables by name. */
  readonly variables: ReadonlyMap<string, VariableDefinitionNode>;
  /** Properties of the declared variables for validating a request's variables. */
  readonly declared: ReadonlyMap<string, DeclaredVariable>;
  /** Variables that the operation or a fragment of the document uses. */
  readonly usedVariables: ReadonlySet<string>;
  /** Variables of `@include` and `@skip`, whose values are part of the plan's shape. */
  readonly conditions: ReadonlySet<string>;
  /** Literals that the plan may leave open. */
  readonly literals?: OpenLiterals;
}

export interface DeclaredVariable {
  /** In GraphQL syntax: `[uuid!]!`. */
  readonly type: string;
  readonly required: boolean;
  readonly hasDefault: boolean;
  readonly isUsed: boolean;
}

const invalid = (message: string, path = "$"): EngineError => new EngineError("validation-failed", path, message);

/**
 * Maximum nesting depth of a document's syntax, including values and types. Deeper nesting would overflow the stack.
 */
const maxSyntaxDepth = 500;

/** Number of nodes of the syntax tree from one level to the next: a field, its selection set, and the list in it. */
const nodesPerLevel = 3;

/**
 * Maximum number of introspection fields of an operation with its fragments expanded. Tools select about 200. Each
 * field can apply to all types, so the response to a few thousand would exceed any memory.
 */
const maximumSchemaFields = 2000;

/**
 * Parses a document and selects the operation. Parsing stops at the budget's token limit.
 * @throws EngineError `validation-failed`, `parse-failed`
 */
export function readOperation(
  query: string,
  operationName: string | null,
  budget: Budget = budgetOf("admin"),
): Operation {
  return operationIn(parseDocument(query, budget), operationName, budget);
}

/**
 * Selects the operation of a parsed document.
 * @throws EngineError `validation-failed`, `parse-failed`
 */
export function operationIn(document: DocumentNode, operationName: string | null, budget: Budget): Operation {
  const uses = findUses(document);
  const definition = chooseOperation(document, operationName);
  checkDirectives(definition.directives ?? [], placeOf[definition.operation], "$");
  const fragments = collectFragments(document);
  checkCycles(definition, fragments);
  const size = checkSize(definition, fragments, budget);
  const variables = collectVariables(definition);
  return {
    document,
    definition,
    fragments,
    measure: size,
    variables,
    declared: declaredVariables(variables, uses.usedVariables),
    ...uses,
  };
}

function declaredVariables(
  variables: Operation["variables"],
  used: ReadonlySet<string>,
): ReadonlyMap<string, DeclaredVariable> {
  return new Map(
    [...variables].map(([name, { type, defaultValue }]) => {
      const required = type.kind === Kind.NON_NULL_TYPE;
      const isUsed = used.has(name);
      return [name, { type: typeNodeText(type), required, hasDefault: defaultValue !== undefined, isUsed }];
    }),
  );
}

function parseDocument(query: string, { tokens }: Budget): DocumentNode {
  try {
    return parse(query, { noLocation: true, maxTokens: tokens });
  } catch (error) {
    throw new EngineError("validation-failed", "$.query", "not a valid graphql query", { cause: error });
  }
}

function chooseOperation(document: DocumentNode, operationName: string | null): OperationDefinitionNode {
  const operations = document.definitions.filter((d) => d.kind === Kind.OPERATION_DEFINITION);
  if (operationName === null) {
    const [only] = operations;
    if (operations.length === 1 && only) return only;
    throw invalid("exactly one operation has to be present in the document when operationName is not specified");
  }
  if (operations.some((operation) => !operation.name)) {
    throw invalid("operationName cannot be used when an anonymous operation exists in the document");
  }
  const found = operations.find((operation) => operation.name?.value === operationName);
  if (found) return found;
  const names = operations.flatMap(({ name }) => name?.value ?? []);
  const error = invalid(`no such operation found in the document: "${operationName}"`);
  throw error.withHint(() => didYouMean(operationName, names));
}

function collectFragments(document: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.FRAGMENT_DEFINITION) continue;
    const name = definition.name.value;
    if (fragments.has(name)) {
      throw new EngineError("parse-failed", "$", `multiple definitions for fragment "${name}"`);
    }
    fragments.set(name, definition);
  }
  return fragments;
}

function collectVariables(definition: OperationDefinitionNode): ReadonlyMap<string, VariableDefinitionNode> {
  const variables = new Map<string, VariableDefinitionNode>();
  for (const variable of definition.variableDefinitions ?? []) {
    const name = variable.variable.name.value;
    if (variables.has(name)) {
      throw new EngineError("parse-failed", "$", `multiple definitions for variable "${name}"`);
    }
    variables.set(name, variable);
  }
  return variables;
}

/** The members of syntax nodes that are read, for nodes of any kind. */
interface AnyNode {
  readonly kind?: string;
  readonly name?: { readonly value: string };
  readonly arguments?: unknown;
}

/**
 * Yields every node of a part of a document in text order, without recursion.
 * @throws EngineError if the part is nested too deeply
 */
function* nodesOf(part: unknown): Iterable<AnyNode> {
  const waiting = [part];
  const depths = [0];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    const depth = (depths.pop() ?? 0) + 1;
    if (depth > maxSyntaxDepth * nodesPerLevel) {
      throw overBudget(`the query is nested deeper than ${maxSyntaxDepth} levels`, "$");
    }
    if (!Array.isArray(value)) yield value as AnyNode;
    const children: unknown[] = Array.isArray(value) ? value : Object.values(value as object);
    for (let i = children.length - 1; i >= 0; i--) {
      const child = children[i];
      if (child === null || typeof child !== "object") continue;
      waiting.push(child);
      depths.push(depth);
    }
  }
}

function findUses(document: DocumentNode): Pick<Operation, "usedVariables" | "conditions"> {
  const usedVariables = new Set<string>();
  const conditions = new Set<string>();
  const withoutDeclarations = document.definitions.map((d) => ({ ...d, variableDefinitions: [] }));
  for (const { kind, name, arguments: args } of nodesOf(withoutDeclarations)) {
    if (kind === Kind.VARIABLE && name) usedVariables.add(name.value);
    if (kind !== Kind.DIRECTIVE) continue;
    for (const inner of nodesOf(args)) if (inner.kind === Kind.VARIABLE && inner.name) conditions.add(inner.name.value);
  }
  return { usedVariables, conditions };
}

/**
 * Checks that no fragment contains itself, following the spreads that the operation reaches. Paths of errors contain
 * the names of fragments.
 */
function checkCycles(operation: OperationDefinitionNode, fragments: ReadonlyMap<string, FragmentDefinitionNode>): void {
  const finished = new Set<string>();
  const trail = new Set<string>();
  const visit = (set: SelectionSetNode, path: string, level: number): void => {
    checkDepth(level, "$");
    const here = pathTo(path, "selectionSet");
    for (const node of set.selections) {
      if (node.kind === Kind.FIELD) {
        if (node.selectionSet) visit(node.selectionSet, pathTo(here, node.name.value), level + 1);
      } else if (node.kind === Kind.INLINE_FRAGMENT) {
        visit(node.selectionSet, path, level + 1);
      } else {
        const name = node.name.value;
        if (trail.has(name)) {
          const names = [...trail];
          throw invalid(`the fragment definition(s) ${listNames(names.slice(names.indexOf(name)))} form a cycle`, here);
        }
        const fragment = fragments.get(name);
        if (finished.has(name) || !fragment) continue;
        trail.add(name);
        visit(fragment.selectionSet, pathTo(here, name), level + 1);
        trail.delete(name);
        finished.add(name);
      }
    }
  };
  visit(operation.selectionSet, "$", 0);
}

/**
 * Measures the operation and checks the result.
 * @throws EngineError if the operation exceeds the budget
 */
function checkSize(
  { selectionSet }: OperationDefinitionNode,
  fragments: Operation["fragments"],
  budget: Budget,
): OperationMeasure {
  const size = measure(selectionSet, fragments);
  checkBudget(size, budget, "$");
  checkDepth(size.levels, "$");
  let schemaFields = 0;
  for (const { name, selectionSet: selected } of rootFields(selectionSet, fragments)) {
    if (selected && (name.value === "__schema" || name.value === "__type")) {
      schemaFields += measure(selected, fragments).fields;
    }
  }
  if (schemaFields > maximumSchemaFields) {
    throw overBudget(`the query selects more than ${maximumSchemaFields} fields of the schema`, "$");
  }
  return size;
}

/** Yields the fields of a selection without those nested in fields. Each fragment is expanded once. */
function* rootFields(
  { selections }: SelectionSetNode,
  fragments: Operation["fragments"],
  spread = new Set<string>(),
): Iterable<FieldNode> {
  for (const node of selections) {
    if (node.kind === Kind.FIELD) {
      yield node;
    } else if (node.kind === Kind.INLINE_FRAGMENT) {
      yield* rootFields(node.selectionSet, fragments, spread);
    } else if (!spread.has(node.name.value)) {
      spread.add(node.name.value);
      const fragment = fragments.get(node.name.value);
      if (fragment) yield* rootFields(fragment.selectionSet, fragments, spread);
    }
  }
}

/** Returns `a`, `a and b`, or `a, b and c`. */
function listNames(names: readonly string[]): string {
  const head = names.slice(0, -1).join(", ");
  return head === "" ? names.join("") : `${head} and ${names.at(-1)}`;
}
