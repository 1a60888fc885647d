/** Adds fields and arguments to the text of an operation, and removes them. All other text stays as it is. */
import {
  type ArgumentNode,
  type ASTNode,
  type DocumentNode,
  type FieldNode,
  getNamedType,
  type InlineFragmentNode,
  isRequiredArgument,
  Kind,
  type ObjectFieldNode,
  type ObjectValueNode,
  type OperationDefinitionNode,
  type OperationTypeNode,
  parse,
  type SelectionNode,
  type SelectionSetNode,
  type Token,
  TokenKind,
  type ValueNode,
  visit,
} from "graphql";
import { isBlank } from "../blank.ts";
import { excludesOthers, replacedSelection } from "./group-keys.ts";
import type { SchemaPath, SelectionStep, Step, ValueStep } from "./paths.ts";
import { selectionSetText, selectionText, type Variables, valueText, variablesBeside } from "./snippets.ts";
import {
  additionToList,
  applyEdits,
  indentAt,
  insertion,
  isFirstInLine,
  lineStart,
  removal,
  removalsFromList,
  type TextEdit,
  type TextRange,
} from "./text-edits.ts";

interface ChangedOperation {
  readonly text: string;
  /** Name of the operation that was changed; `null` if it has none. */
  readonly operationName: string | null;
}

/** Returns the document with locations; `null` if the text has a syntax error. */
export function readDocument(text: string): DocumentNode | null {
  if (isBlank(text)) return { kind: Kind.DOCUMENT, definitions: [] };
  try {
    return parse(text);
  } catch {
    return null;
  }
}

/**
 * Returns the operation that check boxes of a root type show and change: the current one if it has this type, otherwise
 * the first of this type.
 */
function operationOfType(
  { definitions }: DocumentNode,
  type: OperationTypeNode,
  current: string | null,
): OperationDefinitionNode | undefined {
  const operations = definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
  const matching = operations.filter(({ operation }) => operation === type);
  return matching.find(({ name }) => (name?.value ?? null) === current) ?? matching[0];
}

// Nodes of a path. Of several nodes with one name, such as fields with aliases, the first represents them.

type PathNode = FieldNode | InlineFragmentNode | ArgumentNode | ObjectFieldNode;
type ParentNode = OperationDefinitionNode | PathNode;

/** Returns the object of a value, also of a list that begins with an object. */
function objectOf(value: ValueNode): ObjectValueNode | undefined {
  if (value.kind === Kind.OBJECT) return value;
  const [first] = value.kind === Kind.LIST ? value.values : [];
  return first?.kind === Kind.OBJECT ? first : undefined;
}

const selectionsOf = (node: ParentNode): readonly SelectionNode[] =>
  "selectionSet" in node ? (node.selectionSet?.selections ?? []) : [];

const isSelected = (step: Step, node: SelectionNode): node is FieldNode | InlineFragmentNode =>
  node.kind === Kind.FIELD
    ? step.kind === "field" && node.name.value === step.name
    : node.kind === Kind.INLINE_FRAGMENT && step.kind === "type" && node.typeCondition?.name.value === step.name;

/** Returns the nodes among which those of a step are. */
function siblingsOf(parent: ParentNode, step: Step): readonly (SelectionNode | ArgumentNode | ObjectFieldNode)[] {
  if (step.kind === "argument") return parent.kind === Kind.FIELD ? (parent.arguments ?? []) : [];
  if (step.kind === "input") return "value" in parent ? (objectOf(parent.value)?.fields ?? []) : [];
  return selectionsOf(parent);
}

function nodesOf(parent: ParentNode, step: Step): readonly PathNode[] {
  return siblingsOf(parent, step).filter((node): node is PathNode =>
    node.kind === Kind.ARGUMENT || node.kind === Kind.OBJECT_FIELD
      ? node.name.value === step.name
      : isSelected(step, node),
  );
}

/** Returns the first nodes of the steps, up to the first step that has none. */
function chainOf(operation: OperationDefinitionNode, steps: readonly Step[]): readonly PathNode[] {
  const chain: PathNode[] = [];
  for (const step of steps) {
    const [node] = nodesOf(chain.at(-1) ?? operation, step);
    if (!node) break;
    chain.push(node);
  }
  return chain;
}

export function hasPath(document: DocumentNode, { operation, steps }: SchemaPath, current: string | null): boolean {
  const found = operationOfType(document, operation, current);
  return found !== undefined && chainOf(found, steps).length === steps.length;
}

// Adding.

/** Returns the text with the path added, with the fields, required arguments and variables that it needs. */
export function addPath(text: string, path: SchemaPath, current: string | null): ChangedOperation {
  const document = readDocument(text);
  if (!document) return { text, operationName: current };
  const operation = operationOfType(document, path.operation, current);
  if (!operation) return addOperation(text, document, path);
  const chain = chainOf(operation, path.steps);
  const parent = chain.at(-1) ?? operation;
  const rest = path.steps.slice(chain.length);
  if (rest.length === 0) return changed(text, operation, []);
  const variables = variablesBeside(definedNames(operation));
  const before = path.steps.slice(0, chain.length);
  const edit = additionTo(text, parent, { before, rest, variables });
  const replaced = edit.replaced ? [edit.replaced] : [];
  const unused = unusedNames(document, operation, replaced);
  const definitions = definitionEdits(text, operation, variables.added, unused);
  return changed(text, operation, [edit, ...selectedKeyEdits(chain, edit), ...definitions]);
}

/** Selects the new key of groups instead of the key that it replaces. */
function selectedKeyEdits(chain: readonly PathNode[], { insert, replaced }: ReplacingEdit): readonly TextEdit[] {
  const field = chain.findLast((node) => node.kind === Kind.FIELD);
  const selection = field && replaced && replacedSelection(field, replaced, insert);
  return selection ? [{ ...rangeOf(selection.node), insert: selection.insert }] : [];
}

function changed(text: string, { name }: OperationDefinitionNode, edits: readonly TextEdit[]): ChangedOperation {
  return { text: applyEdits(text, edits), operationName: name?.value ?? null };
}

/** An edit that may replace a value. */
type ReplacingEdit = TextEdit & { readonly replaced?: ValueNode };

interface Addition {
  /** Steps that the operation has. */
  readonly before: readonly Step[];
  readonly rest: readonly Step[];
  readonly variables: Variables;
}

function additionTo(text: string, parent: ParentNode, { before, rest, variables }: Addition): ReplacingEdit {
  const [first] = rest;
  if (first?.kind === "argument" && parent.kind === Kind.FIELD) {
    const argument = `${first.name}: ${valueText(rest as [ValueStep, ...ValueStep[]], variables)}`;
    const last = parent.arguments?.at(-1);
    if (last) return additionToList(text, rangeOf(last), argument);
    return insertion(rangeOf(parent.name).to, `(${argument})`);
  }
  if (first?.kind === "input" && "value" in parent)
    return inputAddition(text, parent.value, { before, rest, variables });
  const steps = rest as [SelectionStep, ...Step[]];
  const set = "selectionSet" in parent ? parent.selectionSet : undefined;
  if (set) return selectionAddition(text, set, (indent) => selectionText(steps, variables, indent));
  const { from, to } = rangeOf(parent);
  return insertion(to, ` ${selectionSetText(steps, variables, indentAt(text, from))}`);
}

function inputAddition(text: string, value: ValueNode, { before, rest, variables }: Addition) {
  const object = objectOf(value);
  const last = object?.fields.at(-1);
  const parents = before.filter((step): step is ValueStep => step.kind === "argument" || step.kind === "input");
  const [first, ...others] = rest as [ValueStep, ...ValueStep[]];
  const owner = parents.at(-1);
  if (!object && owner) {
    // A variable, or a literal of another type, is replaced by an object.
    const insert = valueText([owner, first, ...others], variables, parents.slice(0, -1));
    return { ...rangeOf(value), insert, replaced: value };
  }
  const field = `${first.name}: ${valueText([first, ...others], variables, parents)}`;
  if (object && owner && excludesOthers(getNamedType(owner.type), first.name, object)) {
    return { ...rangeOf(object), insert: `{${field}}`, replaced: object };
  }
  return last ? additionToList(text, rangeOf(last), field) : { ...rangeOf(object ?? value), insert: `{${field}}` };
}

function selectionAddition(text: string, set: SelectionSetNode, textOf: (indent: string | null) => string): TextEdit {
  const end = rangeOf(set).to - 1;
  if (!isFirstInLine(text, end)) return insertion(text.slice(0, end).trimEnd().length, ` ${textOf(null)}`);
  const last = set.selections.at(-1);
  const start = last ? rangeOf(last).from : end;
  const indent = last && isFirstInLine(text, start) ? indentAt(text, start) : `${indentAt(text, end)}  `;
  return insertion(lineStart(text, end), `${indent}${textOf(indent)}\n`);
}

/** Adds an operation. Documents with several operations need their names. */
function addOperation(text: string, { definitions }: DocumentNode, { operation, steps }: SchemaPath): ChangedOperation {
  const others = definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
  const names = new Set(others.map(({ name }) => name?.value));
  const naming = others
    .filter(({ name }) => !name)
    .map((node) => {
      const { from } = rangeOf(node);
      const name = freeName(node.operation, names);
      return isShorthand(text, node)
        ? insertion(from, `${node.operation} ${name} `)
        : insertion(from + node.operation.length, ` ${name}`);
    });
  const name = others.length === 0 ? null : freeName(operation, names);
  const variables = variablesBeside([]);
  const set = selectionSetText(steps as [SelectionStep, ...Step[]], variables, "");
  const before = applyEdits(text, naming).trimEnd();
  const head = name === null ? operation : `${operation} ${name}`;
  const defined = variables.added.length === 0 ? "" : `${name === null ? " " : ""}(${variables.added.join(", ")})`;
  return { text: `${before}${before === "" ? "" : "\n\n"}${head}${defined} ${set}`, operationName: name };
}

function freeName(operation: OperationTypeNode, names: Set<string | undefined>): string {
  const base = operation.charAt(0).toUpperCase() + operation.slice(1);
  let number = 1;
  while (names.has(`${base}${number}`)) number += 1;
  names.add(`${base}${number}`);
  return `${base}${number}`;
}

// Removing.

/**
 * Returns the text without the path. Objects that become empty are removed, because a selection without fields is
 * invalid; a required argument that becomes empty is a variable again.
 */
export function removePath(text: string, path: SchemaPath, current: string | null): ChangedOperation {
  const document = readDocument(text);
  const operation = document && operationOfType(document, path.operation, current);
  if (!operation) return { text, operationName: current };
  const chain = chainOf(operation, path.steps);
  if (chain.length < path.steps.length) return changed(text, operation, []);
  let depth = chain.length - 1;
  let parent: ParentNode = chain[depth - 1] ?? operation;
  let removed: readonly ASTNode[] = nodesOf(parent, path.steps[depth] as Step);
  while (depth > 0 && isEmptyWithout(parent, path.steps[depth] as Step, removed.length)) {
    const argument = requiredArgument(path.steps, depth - 1);
    if (argument && "value" in parent)
      return restoreVariable(text, { document, operation, argument, value: parent.value });
    removed = [parent];
    depth -= 1;
    parent = chain[depth - 1] ?? operation;
  }
  const step = path.steps[depth] as Step;
  if (depth === 0 && isEmptyWithout(operation, step, removed.length)) {
    const without = applyEdits(text, [removal(text, rangeOf(operation))]);
    return { text: without.trim(), operationName: null };
  }
  const unused = unusedNames(document, operation, removed);
  return changed(text, operation, [
    ...removalsOf(text, parent, step, removed),
    ...definitionEdits(text, operation, [], unused),
  ]);
}

function isEmptyWithout(parent: ParentNode, step: Step, removed: number): boolean {
  if (step.kind === "argument") return false;
  if (step.kind === "input" && "value" in parent && parent.value.kind === Kind.LIST && parent.value.values.length > 1) {
    return false;
  }
  return siblingsOf(parent, step).length === removed;
}

/** Returns the step of a required argument. */
function requiredArgument(steps: readonly Step[], index: number): ValueStep | undefined {
  const [field, step] = [steps[index - 1], steps[index]];
  if (step?.kind !== "argument" || field?.kind !== "field") return undefined;
  return field.args.some((each) => each.name === step.name && isRequiredArgument(each)) ? step : undefined;
}

interface Restored {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly argument: ValueStep;
  readonly value: ValueNode;
}

function restoreVariable(text: string, { document, operation, argument, value }: Restored): ChangedOperation {
  const variables = variablesBeside(definedNames(operation));
  const edit = { ...rangeOf(value), insert: variables.add(argument.name, argument.type) };
  const unused = unusedNames(document, operation, [value]);
  return changed(text, operation, [edit, ...definitionEdits(text, operation, variables.added, unused)]);
}

function removalsOf(text: string, parent: ParentNode, step: Step, removed: readonly ASTNode[]): readonly TextEdit[] {
  if (step.kind === "field" || step.kind === "type") return removed.map((node) => removal(text, rangeOf(node)));
  const siblings = siblingsOf(parent, step);
  if (removed.length < siblings.length) {
    return removalsFromList(text, siblings.map(rangeOf), (index) => removed.includes(siblings[index] as ASTNode));
  }
  const [from, to] = [
    significant(siblings[0]?.loc?.startToken.prev, "prev"),
    significant(siblings.at(-1)?.loc?.endToken.next, "next"),
  ];
  return [{ from: from.start, to: to.end, insert: step.kind === "input" ? "{}" : "" }];
}

function significant(token: Token | null | undefined, direction: "prev" | "next"): Token {
  let found = token;
  while (found?.kind === TokenKind.COMMENT) found = found[direction];
  if (!found) throw new Error("the document has no locations");
  return found;
}

// Variables.

const definedNames = ({ variableDefinitions = [] }: OperationDefinitionNode): readonly string[] =>
  variableDefinitions.map(({ variable }) => variable.name.value);

/** Returns the variables that only the removed nodes use. */
function unusedNames(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  removed: readonly ASTNode[],
): ReadonlySet<string> {
  const unused = new Set<string>();
  const collect = {
    Variable: ({ name }: { readonly name: { readonly value: string } }) => void unused.add(name.value),
  };
  for (const node of removed) visit(node, collect);
  if (unused.size === 0) return unused;
  visit(document, {
    enter: (node) => {
      const isOther = node.kind === Kind.OPERATION_DEFINITION && node !== operation;
      if (isOther || node.kind === Kind.VARIABLE_DEFINITION || removed.includes(node)) return false;
      if (node.kind === Kind.VARIABLE) unused.delete(node.name.value);
      return undefined;
    },
  });
  return unused;
}

function definitionEdits(
  text: string,
  operation: OperationDefinitionNode,
  added: readonly string[],
  unused: ReadonlySet<string>,
): readonly TextEdit[] {
  const { variableDefinitions = [], name } = operation;
  const names = definedNames(operation);
  const { from: start } = rangeOf(operation);
  const at = name ? rangeOf(name).to : start + operation.operation.length;
  const space = name ? "" : " ";
  const last = variableDefinitions.at(-1);
  const lastKept = variableDefinitions.findLast(({ variable }) => !unused.has(variable.name.value));
  if (!last) {
    if (added.length === 0) return [];
    const list = `(${added.join(", ")})`;
    return isShorthand(text, operation)
      ? [insertion(start, `${operation.operation} ${list} `)]
      : [insertion(at, `${space}${list}`)];
  }
  if (!lastKept && added.length > 0) {
    const [first = last] = variableDefinitions;
    return [{ from: rangeOf(first).from, to: rangeOf(last).to, insert: added.join(", ") }];
  }
  if (!lastKept) {
    const end = significant(last.loc?.endToken.next, "next").end;
    return [{ from: at, to: end, insert: "" }];
  }
  return [
    ...removalsFromList(text, variableDefinitions.map(rangeOf), (index) => unused.has(names[index] ?? "")),
    ...(added.length === 0 ? [] : [additionToList(text, rangeOf(lastKept), added.join(", "))]),
  ];
}

const isShorthand = (text: string, node: ASTNode): boolean => text[rangeOf(node).from] === "{";

function rangeOf({ loc }: ASTNode): TextRange {
  if (!loc) throw new Error("the document has no locations");
  return { from: loc.start, to: loc.end };
}
