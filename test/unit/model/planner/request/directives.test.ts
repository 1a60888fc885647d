import { parse } from "graphql";
import { describe, expect, it } from "vitest";
import { planQuery } from "../../../../../runtime/model/planner/plan.ts";
import { readOperation } from "../../../../../runtime/model/planner/request/document.ts";
import { roleSchema } from "../../../../../runtime/model/schema/role-schema.ts";
import { sampleRole } from "../../../../support/sample-role.ts";

const schema = roleSchema(sampleRole);

function failure(text: string): unknown {
  expect(() => parse(text)).not.toThrow();
  try {
    planQuery(readOperation(text, null), schema, {}, { stringifyNumbers: false, nullCollapse: false });
  } catch (error) {
    const { message, path, code } = error as { message: string; path: string; code: string };
    return { message, path, code };
  }
  return undefined;
}

describe("Directives", () => {
  it.each([
    "query @cached { author { id } }",
    "query @cached(ttl: 5, refresh: true) { author { id @skip(if: false) } }",
  ])("A directive is allowed in %s", (text) => expect(failure(text)).toBeUndefined());

  it.each([
    ["query @include(if: true) { author { id } }", "directive 'include' is not allowed on a query", "$"],
    ["query @nope { author { id } }", "directive 'nope' is not defined in the schema", "$"],
    ["query @cached @cached { author { id } }", "the following directives are used more than once: ['cached']", "$"],
    ["query @cached(age: 1) { author { id } }", "'cached' has no argument named 'age'", "$"],
    [
      "query @_multiple_top_level_fields { author { id } }",
      "directive '_multiple_top_level_fields' is not allowed on a query",
      "$",
    ],
    ["mutation @cached { x }", "directive 'cached' is not allowed on a mutation", "$"],
    ["subscription @skip(if: true) { x }", "directive 'skip' is not allowed on a subscription", "$"],
    [
      "fragment f on author @skip(if: true) { id } { author { ...f } }",
      "directive 'skip' is not allowed on a fragment definition",
      "$.selectionSet.author.selectionSet",
    ],
    ["{ author @cached { id } }", "directive 'cached' is not allowed on a field", "$.selectionSet"],
  ])("A directive is refused in %s", (text, message, path) => {
    expect(failure(text)).toEqual({ message, path, code: "validation-failed" });
  });
});
