import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RelayCipher } from "../../../../runtime/model/relay/cipher.ts";
import { decodeNodeId, nodeIdStructure, nodeIdUse } from "../../../../runtime/model/relay/node-id.ts";
import { RelayTexts } from "../../../../runtime/model/relay/relay-texts.ts";
import { EngineError } from "../../../../runtime/values/errors.ts";
import { JsonNumber } from "../../../../runtime/values/json-number.ts";

const texts = new RelayTexts({ cipher: new RelayCipher("key"), use: nodeIdUse, isProtected: false });
const encode = (text: string) => Buffer.from(text).toString("base64");

describe("Relay global ids", () => {
  it("A global id is read without losing digits", () => {
    const id = encode('[1, "public", "item", 9007199254740993, "ü", null]');
    expect(decodeNodeId(id, texts, "$")).toEqual({
      schema: "public",
      table: "item",
      key: [new JsonNumber("9007199254740993"), "ü", null],
    });
  });

  it("A global id may contain line breaks", () => {
    const text = encode('[1, "public", "item", 1]').replace(/(.{8})/g, "$1\n");
    expect(decodeNodeId(text, texts, "$")).toMatchObject({ table: "item", key: [1] });
  });

  it("Any global id is either read or refused with validation-failed", () => {
    const anything = fc.oneof(fc.string(), fc.json().map(encode), fc.base64String(), fc.jsonValue());
    fc.assert(
      fc.property(anything, (value) => {
        try {
          expect(decodeNodeId(value, texts, "$.id").key.length).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(EngineError);
          expect(error).toMatchObject({ code: "validation-failed", status: 400, path: "$.id" });
        }
      }),
    );
  });

  it("The structure of a global id depends on its table but not on its row", () => {
    const structure = (text: string) => nodeIdStructure(encode(text), texts);
    expect(structure('[1, "a", "b", 5]')).toBe(structure('[1.0, "a", "b", "x"]'));
    expect(structure('[1, "a", "b", 5]')).not.toBe(structure('[1, "a", "b", 5, 6]'));
    expect(structure('[1, "a", "b", 5]')).not.toBe(structure('[1, "b", "a", 5]'));
    expect(structure('[1, "a", "b\\",\\"c", 5]')).not.toBe(structure('[1, "a\\",\\"b", "c", 5]'));
    expect(nodeIdStructure("x", texts)).toBe("");
  });
});
