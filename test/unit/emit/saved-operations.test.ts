import { expect, it } from "vitest";
import type { SavedOperationIr } from "../../../compiler/3-lower/ir.ts";
import { savedOperationOf } from "../../../compiler/3-lower/saved-operations.ts";
import { emitSavedOperation } from "../../../compiler/4-emit/saved-operations.ts";

const ir: SavedOperationIr = {
  collection: "desk",
  name: "find",
  kind: "query",
  text: "query ($id: Int, $other: Int = 2) { book(limit: $id) { id } }",
  variables: [
    { name: "id", type: "Int", unused: false },
    { name: "other", type: "Int", default: 2, unused: true },
  ],
};

it("A saved operation names the variables that it declares and does not use", () => {
  expect(emitSavedOperation(ir, "0123abcd").text).toContain(
    'variables: { id: variable("Int"), other: variable("Int", { default: 2, unused: true }) },',
  );
});

it("The definition of a saved operation equals that of its module", () => {
  expect(savedOperationOf(ir).variables).toMatchObject({ id: { type: "Int" }, other: { default: 2, unused: true } });
});
