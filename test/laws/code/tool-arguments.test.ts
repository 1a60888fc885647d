/** The check of a tool's arguments accepts exactly the values that a validator of JSON Schema accepts. */
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, it } from "vitest";
import { checkArguments } from "../../../runtime/http/mcp/check-arguments.ts";

const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: false, ownProperties: true });

const names = ["a", "b", "c", "toString"];
const texts = ["", "x", "OPEN", "é😀", "12"];
const numbers = [0, -1, 1.5, 7, 1e21, 1e300];

const scalar = fc.oneof(fc.constantFrom(null, true, false), fc.constantFrom(...texts), fc.constantFrom(...numbers));
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    scalar,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...names), tie("value"), { maxKeys: 3 }),
  ),
}));

const typeName = fc.constantFrom("null", "boolean", "string", "number", "integer", "array", "object");
const { schema } = fc.letrec<{ schema: object; object: object }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.record({ type: fc.oneof(typeName, fc.uniqueArray(typeName, { minLength: 1, maxLength: 2 })) }),
    fc.record({ enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 3 }) }),
    fc.record({ const: scalar }),
    fc.constant({ $ref: "#/$defs/shared" }),
    fc.record({ type: fc.constant("integer"), minimum: fc.constantFrom(0, 1), maximum: fc.constantFrom(1, 7) }),
    fc.record({ type: fc.constant("string"), minLength: fc.constantFrom(0, 1), maxLength: fc.constantFrom(1, 2) }),
    fc.record({
      type: fc.constant("array"),
      items: tie("schema"),
      minItems: fc.constantFrom(0, 1),
      maxItems: fc.constantFrom(1, 2),
    }),
    fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
    tie("object"),
  ),
  object: fc.record(
    {
      type: fc.constant("object"),
      properties: fc.dictionary(fc.constantFrom(...names), tie("schema"), { maxKeys: 3 }),
      required: fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 }),
      additionalProperties: fc.oneof(fc.boolean(), tie("schema")),
    },
    { requiredKeys: ["type"] },
  ),
}));

it("Arguments are accepted exactly if a validator of JSON Schema accepts them", () => {
  const tool = fc.record({
    type: fc.constant("object"),
    properties: fc.record({ a: schema }),
    $defs: fc.record({ shared: fc.record({ type: typeName }) }),
  });
  fc.assert(
    fc.property(tool, value, (input, argument) => {
      const values = { a: argument };
      const isValid = ajv.compile(input)(values);
      ajv.removeSchema();
      let isAccepted = true;
      try {
        checkArguments(input, values);
      } catch {
        isAccepted = false;
      }
      expect(isAccepted).toBe(isValid);
    }),
    { numRuns: 200 },
  );
});
