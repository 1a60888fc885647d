import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readResponse } from "../../../../runtime/execute/remote/remote-values.ts";
import { runToCompletion } from "../../../../runtime/values/interruptible.ts";
import { JsonScanner, NotJson } from "../../../../runtime/values/json/scanner.ts";

/** Returns true if the text is exactly one JSON value. */
function scans(text: string): boolean {
  const scanner = new JsonScanner(text);
  try {
    runToCompletion(scanner.value());
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

describe("The JSON scanner", () => {
  it("The JSON scanner accepts exactly the texts that JSON.parse accepts", () => {
    const pieces = fc.constantFrom(
      ...'{}[]:,"\\/ \n'.split(""),
      ...'0 -1 1.5e+3 01 1. true false null nul "a" "\\u00e9" "\\x" \u0001'.split(" "),
    );
    const texts = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(""));
    const broken = fc.tuple(fc.json({ maxDepth: 4 }), fc.nat(), pieces).map(([json, at, piece]) => {
      const position = at % (json.length + 1);
      return json.slice(0, position) + piece + json.slice(position + (at % 2));
    });
    fc.assert(
      fc.property(fc.oneof(texts, broken, fc.json({ maxDepth: 5 })), (text) => scans(text) === parses(text)),
      { numRuns: 5000 },
    );
  });

  it("The JSON scanner accepts long runs of plain parts and rejects malformed text after them", () => {
    for (const part of ["1", '"a"', '"k":1', '"k":"v\\n"', "null"]) {
      for (const count of [255, 256, 257, 1000]) {
        const parts = Array(count).fill(part).join(",");
        for (const text of [`[${parts}]`, `{${parts}}`, `[${parts},]`, `{${parts},}`, `[${parts}`, `[${parts},01]`]) {
          expect(scans(text), text.slice(-20)).toBe(parses(text));
        }
      }
    }
  });

  it("The JSON scanner accepts long and deep values and rejects them after damage", () => {
    const flat = fc.constantFrom("1", "-0.5e3", '"a"', '"\\n"', "true", "null", "[]", "{}", '{"a":{"b":[1]}}');
    const filled = (kind: string, count: number, value: string) =>
      kind === "list"
        ? `[${Array(count).fill(value).join(", ")}]`
        : `{${Array(count).fill(`"k": ${value}`).join(",")}}`;
    const levels = fc.array(fc.tuple(fc.constantFrom("list", "object"), fc.constantFrom(1, 2, 3)), { maxLength: 6 });
    const values = fc
      .tuple(flat, fc.constantFrom(1, 400, 3000), levels)
      .map(([value, count, around]) =>
        around.reduce((text, [kind, times]) => filled(kind, times, text), filled("list", count, value)),
      )
      .filter((text) => text.length < 400_000);
    const whole = fc.property(values, (text) => scans(text));
    const broken = fc.property(values, fc.nat(), fc.constantFrom("", ",", "]", "}", '"', "x"), (text, at, piece) => {
      const position = at % text.length;
      const changed = text.slice(0, position) + piece + text.slice(position + 1);
      expect(scans(changed)).toBe(parses(changed));
    });
    fc.assert(whole, { numRuns: 100 });
    fc.assert(broken, { numRuns: 300 });
  });

  it("The JSON scanner accepts long strings with and without escapes, and long blanks", () => {
    for (const part of ["a", "\\n", "\\u0000", "é"]) {
      expect(scans(`{"a":["${part.repeat(4_000_000)}"]}`), part).toBe(true);
      expect(scans(`{"a":["${part.repeat(4_000_000)}]}`), part).toBe(false);
    }
    expect(scans(`[${" ".repeat(40_000)}]`)).toBe(true);
    expect(scans(`{${" ".repeat(40_000)}}`)).toBe(true);
  });

  it("The JSON scanner returns the values of data exactly as written", () => {
    const members = fc.dictionary(fc.string(), fc.json({ maxDepth: 3 }));
    const law = fc.property(members, fc.constantFrom("", " ", "\n\t"), (texts, blank) => {
      const data = Object.entries(texts).map(([key, text]) => `${JSON.stringify(key)}${blank}:${blank}${text}${blank}`);
      const { data: found } = runToCompletion(readResponse(` {"data":{${data.join(",")}}, "x":[{}]} `));
      expect([...(found ?? [])]).toEqual(Object.entries(texts).map(([key, text]) => [key, text.trim()]));
    });
    fc.assert(law);
  });

  it("The JSON scanner distinguishes present errors from absent or null errors", () => {
    const errorsOf = (text: string) => runToCompletion(readResponse(text)).errors;
    expect(errorsOf('{"errors":null}')).toBeUndefined();
    expect(errorsOf('{"errors":[ ]}')).toBeUndefined();
    expect(errorsOf('{"errors":[{"message":"m"}],"data":null}')).toBe('[{"message":"m"}]');
  });
});
