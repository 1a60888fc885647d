import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonScanner, NotJson } from "../../../runtime/remote/json-scanner.ts";
import { readAnswer } from "../../../runtime/remote/remote-answer.ts";
import { atOnce } from "../../../runtime/values/interruptible.ts";

/** Whether the text is JSON, and nothing else. */
function scans(text: string): boolean {
  const scanner = new JsonScanner(text);
  try {
    atOnce(scanner.value());
    scanner.end();
    return true;
  } catch (error) {
    if (error instanceof NotJson) return false;
    throw error;
  }
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("the scanner of JSON", () => {
  it("accepts what JSON.parse does, and nothing else", () => {
    const pieces = fc.constantFrom(
      ...'{}[]:,"\\/ \n'.split(""),
      ...'0 -1 1.5e+3 01 1. true false null nul "a" "\\u00e9" "\\x" \u0001'.split(" "),
    );
    const texts = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(""));
    const broken = fc.tuple(fc.json({ maxDepth: 4 }), fc.nat(), pieces).map(([json, at, piece]) => {
      const place = at % (json.length + 1);
      return json.slice(0, place) + piece + json.slice(place + (at % 2));
    });
    fc.assert(
      fc.property(fc.oneof(texts, broken, fc.json({ maxDepth: 5 })), (text) => scans(text) === parses(text)),
      { numRuns: 5000 },
    );
  });

  it("accepts long runs of plain parts, and nothing that follows them by mistake", () => {
    for (const part of ["1", '"a"', '"k":1', '"k":"v\\n"', "null"]) {
      for (const count of [255, 256, 257, 1000]) {
        const parts = Array(count).fill(part).join(",");
        for (const text of [`[${parts}]`, `{${parts}}`, `[${parts},]`, `{${parts},}`, `[${parts}`, `[${parts},01]`]) {
          expect(scans(text), text.slice(-20)).toBe(parses(text));
        }
      }
    }
  });

  it("gives the values of data as they are written", () => {
    const members = fc.dictionary(fc.string(), fc.json({ maxDepth: 3 }));
    const law = fc.property(members, (given) => {
      const data = Object.entries(given).map(([key, text]) => `${JSON.stringify(key)} : ${text} `);
      const { data: found } = atOnce(readAnswer(` {"data":{${data.join(",")}}, "x":[{}]} `));
      expect([...(found ?? [])]).toEqual(Object.entries(given).map(([key, text]) => [key, text.trim()]));
    });
    fc.assert(law);
  });

  it("tells errors from none", () => {
    const errorsOf = (text: string) => atOnce(readAnswer(text)).errors;
    expect(errorsOf('{"errors":null}')).toBeUndefined();
    expect(errorsOf('{"errors":[ ]}')).toBeUndefined();
    expect(errorsOf('{"errors":[{"message":"m"}],"data":null}')).toBe('[{"message":"m"}]');
  });
});
