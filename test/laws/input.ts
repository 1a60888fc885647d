/** Arguments of requests as trees, which can be written as literals, as variables, or as JSON of metadata. */
import type { Json } from "../../compiler/catalog/model.ts";
import type { Filter, Test } from "./model.ts";

export type Input =
  | { readonly kind: "object"; readonly members: readonly (readonly [name: string, value: Input])[] }
  | { readonly kind: "list"; readonly items: readonly Input[] }
  | { readonly kind: "enum"; readonly name: string }
  /** `type` is the declared type of a variable for the value; absent if it cannot be a variable. */
  | { readonly kind: "value"; readonly value: unknown; readonly type: string | undefined };

const object = (members: readonly (readonly [string, Input])[]): Input => ({ kind: "object", members });
const json = (value: unknown): Input => ({ kind: "value", value, type: undefined });

/** Returns a filter as written in `where`, or in metadata with operators that only permissions have. */
export function filterInput(filter: Filter): Input {
  switch (filter.kind) {
    case "and":
      return conjunction(filter.items.map(filterInput));
    case "or":
      return object([["_or", { kind: "list", items: filter.items.map(filterInput) }]]);
    case "not":
      return object([["_not", filterInput(filter.item)]]);
    case "column":
      return object([[filter.column.name, testsInput(filter.column.type.operators, filter.tests)]]);
    case "related":
      return object([[filter.relationship.name, filterInput(filter.where)]]);
    case "permitted":
      return object([["_permitted", json({ relationship: filter.relationship.name, operation: "select" })]]);
    case "exists": {
      const table = json({ schema: "public", name: filter.table });
      return object([
        [
          "_exists",
          object([
            ["_table", table],
            ["_where", filterInput(filter.where)],
          ]),
        ],
      ]);
    }
    case "columns": {
      const other = filter.ofRoot ? ["$", filter.other.name] : filter.other.name;
      return object([[filter.column.name, object([[filter.operator, json(other)]])]]);
    }
  }
}

/** Merges conditions into one object if their keys differ. */
function conjunction(items: readonly Input[]): Input {
  const members = items.flatMap((item) => (item.kind === "object" ? item.members : []));
  const isOne = items.length !== 1 && new Set(members.map(([name]) => name)).size === members.length;
  return isOne ? object(members) : object([["_and", { kind: "list", items }]]);
}

function testsInput(operators: Readonly<Record<string, { readonly graphql?: string }>>, tests: readonly Test[]): Input {
  return object(
    tests.map(({ operator, operand }) => {
      const [first = "", ...path] = operator.split(".");
      const value = operand.kind === "session" ? operand.variable : operand.value;
      // `_is_null` changes the statement, but a variable may still supply its value.
      const type = operator === "_is_null" ? "Boolean" : operators[operator]?.graphql;
      const leaf: Input = { kind: "value", value, type };
      return [first, path.reduceRight<Input>((inner, name) => object([[name, inner]]), leaf)] as const;
    }),
  );
}

export function inputJson(input: Input): Json {
  switch (input.kind) {
    case "object":
      return Object.fromEntries(input.members.map(([name, value]) => [name, inputJson(value)]));
    case "list":
      return input.items.map(inputJson);
    case "enum":
      return input.name;
    case "value":
      return input.value as Json;
  }
}

/** Prints a JSON value as a GraphQL literal. */
export function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, member]) => `${name}: ${literal(member)}`)
    .join(", ")}}`;
}
