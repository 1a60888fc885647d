/**
 * Finds the `locations` of an error in the text of its operation. Operations are parsed without positions, because only
 * errors need them. For an error, the text is parsed a second time and searched along the error's path.
 */
import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  Kind,
  type ObjectFieldNode,
  parse,
  type SelectionSetNode,
  type ValueNode,
} from "graphql";
import type { GraphqlRequest } from "../ports/graphql.ts";
import type { SourceLocation } from "../values/error-body.ts";
import type { EngineError } from "../values/errors.ts";

/** Limit in characters. Longer operations are not parsed a second time. */
const maxTextLength = 262_144;
const maxTokens = 20_000;

type Located = FieldNode | ArgumentNode | ObjectFieldNode;

/** Returns the locations of an error; `undefined` if it has none in the text. */
export function errorLocations(
  error: EngineError,
  { query, operationName }: GraphqlRequest,
): readonly SourceLocation[] | undefined {
  const { cause, path, fault } = error;
  if (cause instanceof GraphQLError) return cause.locations?.map(({ line, column }) => ({ line, column }));
  if (error.code !== "validation-failed" && error.code !== "parse-failed") return undefined;
  const [root, first, ...keys] = keysOf(path);
  if (root !== "$" || first !== "selectionSet" || query.length > maxTextLength) return undefined;
  const document = parseWithPositions(query);
  const argument = fault?.kind === "unknown_argument" ? ["args", fault.argument] : [];
  const found = document && new OperationText(document, operationName).find([...keys, ...argument]);
  const token = found?.loc?.startToken;
  return token && [{ line: token.line, column: token.column }];
}

/** Parses an operation with positions. Returns `undefined` if the text has too many tokens. */
function parseWithPositions(query: string): DocumentNode | undefined {
  try {
    return parse(query, { maxTokens });
  } catch (error) {
    if (error instanceof GraphQLError) return undefined;
    throw error;
  }
}

/** Splits `$.selectionSet.a["b c"][0]` into `$`, `selectionSet`, `a`, `b c`, `0`. */
function keysOf(path: string): readonly string[] {
  return [...path.matchAll(/"((?:[^"\\]|\\.)*)"|[^.[\]"]+/g)].map(([key, quoted]) =>
    quoted === undefined ? key : String(JSON.parse(`"${quoted}"`)),
  );
}

class OperationText {
  readonly #document: DocumentNode;
  readonly #sets: readonly SelectionSetNode[];

  constructor(document: DocumentNode, operationName: string | null) {
    this.#document = document;
    this.#sets = document.definitions.flatMap((definition) =>
      definition.kind === Kind.OPERATION_DEFINITION &&
      (operationName === null || definition.name?.value === operationName)
        ? [definition.selectionSet]
        : [],
    );
  }

  /** Returns the deepest node on the path. */
  find(keys: readonly string[]): Located | undefined {
    let sets = this.#sets;
    let found: Located | undefined;
    for (let i = 0; i < keys.length; i++) {
      const fields = this.#fieldsNamed(keys[i], sets);
      const [first] = fields;
      if (first === undefined) return found;
      found = first;
      const step = keys[++i];
      if (step === "args") return inArguments(fields, keys.slice(i + 1)) ?? found;
      if (step !== "selectionSet") return found;
      sets = fields.flatMap(({ selectionSet }) => selectionSet ?? []);
    }
    return found;
  }

  #fieldsNamed(name: string | undefined, sets: readonly SelectionSetNode[]): readonly FieldNode[] {
    const found: FieldNode[] = [];
    const visited = new Set<string>();
    const waiting = [...sets];
    for (let set = waiting.shift(); set !== undefined; set = waiting.shift()) {
      for (const node of set.selections) {
        if (node.kind === Kind.FIELD) {
          if (node.name.value === name) found.push(node);
        } else if (node.kind === Kind.INLINE_FRAGMENT) {
          waiting.push(node.selectionSet);
        } else if (!visited.has(node.name.value)) {
          visited.add(node.name.value);
          waiting.push(...this.#fragment(node.name.value));
        }
      }
    }
    return found;
  }

  #fragment(name: string): readonly SelectionSetNode[] {
    return this.#document.definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === name ? [definition.selectionSet] : [],
    );
  }
}

function inArguments(fields: readonly FieldNode[], [name, ...keys]: readonly string[]): Located | undefined {
  const argument = fields.flatMap(({ arguments: nodes = [] }) => nodes).find((node) => node.name.value === name);
  return argument && (inValue(argument.value, keys) ?? argument);
}

function inValue(value: ValueNode, [key, ...keys]: readonly string[]): ObjectFieldNode | undefined {
  if (value.kind === Kind.LIST) {
    const item = value.values[Number(key)];
    return item && inValue(item, keys);
  }
  if (value.kind !== Kind.OBJECT) return undefined;
  const member = value.fields.find(({ name }) => name.value === key);
  return member && (inValue(member.value, keys) ?? member);
}
