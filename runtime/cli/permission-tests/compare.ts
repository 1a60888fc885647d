/** Compares the `data` of a response with the expected one. Lists of rows without `order_by` have no order. */

import { type DocumentNode, type FieldNode, Kind, parse, type SelectionSetNode } from "graphql";
import type { Json } from "../../../compiler/catalog/model.ts";
import { isJsonNumber, numberByValue, numberText } from "../../values/json-number.ts";

/** Returns the received data with its unordered lists in the order of the expected ones, where their rows are equal. */
export function aligned(expected: Json, received: Json, query: string, operation: string | null): Json {
  const document = parsed(query);
  if (document === undefined) return received;
  const operations = document.definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
  const chosen = operations.find(({ name }) => operation === null || name?.value === operation);
  if (chosen === undefined) return received;
  return new Alignment(document).object(expected, received, [chosen.selectionSet], false);
}

function parsed(query: string): DocumentNode | undefined {
  try {
    return parse(query, { noLocation: true });
  } catch {
    return undefined;
  }
}

/** Fields of list types that have the order of the field around them. */
const orderedByParent: ReadonlySet<string> = new Set(["nodes", "edges"]);

class Alignment {
  readonly #document: DocumentNode;

  constructor(document: DocumentNode) {
    this.#document = document;
  }

  object(expected: Json, received: Json, selections: readonly SelectionSetNode[], isOrdered: boolean): Json {
    if (!isObject(expected) || !isObject(received)) return received;
    const fields = new Map<string, FieldNode[]>();
    for (const selection of selections) this.#collect(selection, fields);
    const members = Object.entries(received).map(([key, value]): [string, Json] => {
      const other = expected[key];
      return [key, other === undefined ? value : this.#field(other, value, fields.get(key) ?? [], isOrdered)];
    });
    return Object.fromEntries(members);
  }

  #field(expected: Json, received: Json, fields: readonly FieldNode[], isParentOrdered: boolean): Json {
    const selections = fields.flatMap(({ selectionSet }) => selectionSet ?? []);
    const [field] = fields;
    // The items of a scalar, such as an array column, have an order.
    if (field === undefined || selections.length === 0) return received;
    const hasOrder = field.arguments?.some(({ name }) => name.value === "order_by") === true;
    const isOrdered = hasOrder || (isParentOrdered && orderedByParent.has(field.name.value));
    if (!Array.isArray(received) || !Array.isArray(expected)) {
      return this.object(expected, received, selections, isOrdered);
    }
    const item = (other: Json, value: Json): Json => this.object(other, value, selections, false);
    if (isOrdered) {
      return received.map((value: Json, i) => (i < expected.length ? item(expected[i] as Json, value) : value));
    }
    return inOrderOf(expected as readonly Json[], received as readonly Json[], item);
  }

  #collect({ selections }: SelectionSetNode, fields: Map<string, FieldNode[]>): void {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        const key = selection.alias?.value ?? selection.name.value;
        fields.set(key, [...(fields.get(key) ?? []), selection]);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        this.#collect(selection.selectionSet, fields);
      } else {
        const name = selection.name.value;
        const fragment = this.#document.definitions.find(
          (each) => each.kind === Kind.FRAGMENT_DEFINITION && each.name.value === name,
        );
        if (fragment?.kind === Kind.FRAGMENT_DEFINITION) this.#collect(fragment.selectionSet, fields);
      }
    }
  }
}

/** Sorts received items to the place of an equal expected item; the others fill the remaining places in their order. */
function inOrderOf(
  expected: readonly Json[],
  received: readonly Json[],
  align: (expected: Json, received: Json) => Json,
): readonly Json[] {
  const rest = [...received];
  const placed = expected.map((other) => {
    const index = rest.findIndex((value) => isEqual(other, align(other, value)));
    return index < 0 ? undefined : align(other, rest.splice(index, 1)[0] as Json);
  });
  const filled = placed.map((value) => value ?? rest.shift());
  return [...filled.filter((value) => value !== undefined), ...rest];
}

/** Returns true for equal JSON values. The order of members does not matter, and numbers are equal by value. */
export function isEqual(left: Json, right: Json): boolean {
  if (isJsonNumber(left) && isJsonNumber(right)) return numberKey(left) === numberKey(right);
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item: Json, i) => isEqual(item, right[i] as Json));
  }
  if (isObject(left) && isObject(right)) {
    const keys = Object.keys(left);
    return (
      keys.length === Object.keys(right).length &&
      keys.every((key) => Object.hasOwn(right, key) && isEqual(left[key] as Json, right[key] as Json))
    );
  }
  return left === right;
}

const numberKey = (value: Parameters<typeof numberText>[0]): string => numberText(numberByValue(numberText(value)));

function isObject(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isJsonNumber(value);
}
