/** The hash of an operation covers its structure, not its values and descriptions. */
import { expect, it } from "vitest";
import { identityOf } from "../../../runtime/execute/operation-identity.ts";
import { readOperation } from "../../../runtime/model/planner/request/document.ts";

const hashOf = (text: string): string => identityOf(readOperation(text, null)).parameterized_query_hash;

const plain = 'query Q($a: String) { item(name: "x", other: $a) { ...f } } fragment f on item { id }';

it.each([
  ["another value", plain.replace('"x"', '"y"')],
  ["a description of the operation", `"Finds items." ${plain}`],
  ["a block description of the operation", `"""Finds items.""" ${plain}`],
  ["a description of a variable", plain.replace("$a: String", '"a name" $a: String')],
  ["a description of a fragment", plain.replace("fragment", '"parts" fragment')],
])("Operations have the same hash with %s", (_, text) => {
  expect(hashOf(text)).toBe(hashOf(plain));
});

it("Operations with other fields have other hashes", () => {
  expect(hashOf(plain.replace("{ id }", "{ name }"))).not.toBe(hashOf(plain));
});
