import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RelayCipher } from "../../../../runtime/model/relay/cipher.ts";
import { cursorStructure, decodeCursor } from "../../../../runtime/model/relay/cursor.ts";
import { RelayTexts } from "../../../../runtime/model/relay/relay-texts.ts";
import { EngineError } from "../../../../runtime/values/errors.ts";

const texts = new RelayTexts({ cipher: new RelayCipher("key"), use: "cursor", isProtected: false });
const encode = (text: string) => Buffer.from(text).toString("base64");
const readAt = (text: string, ...key: string[]) =>
  decodeCursor(encode(text), texts, "$.args", "$.args.after").value(key);

describe("Relay cursors", () => {
  it("A cursor returns the texts of its values", () => {
    const text = '{"id": 9007199254740993, "name": "ü", "open": true, "at": null, "author": {"age": 1.50}}';
    expect(readAt(text, "id")).toBe("9007199254740993");
    expect(readAt(text, "name")).toBe("ü");
    expect(readAt(text, "open")).toBe("true");
    expect(readAt(text, "at")).toBeNull();
    expect(readAt(text, "author", "age")).toBe("1.5");
  });

  it.each([["author"], ["toString"], ["missing"], ["id", "deeper"], ["list"]])(
    "A cursor has no value at %s",
    (...key) => {
      expect(() => readAt('{"id": 1, "author": {}, "list": [1]}', ...key)).toThrow(
        expect.objectContaining({ message: 'the "after" or "before" cursor is invalid', path: "$.args" }),
      );
    },
  );

  it("Any cursor is either read or refused with validation-failed", () => {
    const anything = fc.oneof(fc.string(), fc.json().map(encode), fc.jsonValue());
    fc.assert(
      fc.property(anything, (value) => {
        cursorStructure(value, texts);
        try {
          decodeCursor(value, texts, "$", "$").value(["id"]);
        } catch (error) {
          expect(error).toBeInstanceOf(EngineError);
          expect(error).toMatchObject({ code: "validation-failed", status: 400 });
        }
      }),
    );
  });

  it("The structure of a cursor depends on its keys and nulls but not on its values", () => {
    const structure = (text: string) => cursorStructure(encode(text), texts);
    expect(structure('{"a": 1, "b": {"c": "x"}}')).toBe(structure('{"a": true, "b": {"c": 9007199254740993}}'));
    expect(structure('{"a": 1}')).not.toBe(structure('{"a": null}'));
    expect(structure('{"a": {"b": 1}}')).not.toBe(structure('{"a": {"b": null}}'));
  });
});
