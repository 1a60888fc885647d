import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonScanner } from "../../../../runtime/execute/remote/json-scanner.ts";
import { NotJson } from "../../../../runtime/execute/remote/json-tokens.ts";
import { readAnswer } from "../../../../runtime/execute/remote/remote-answer.ts";
import { atOnce } from "../../../../runtime/values/interruptible.ts";

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

  it("accepts long and deep values, and nothing that is broken somewhere in them", () => {
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
      const place = at % text.length;
      const changed = text.slice(0, place) + piece + text.slice(place + 1);
      expect(scans(changed)).toBe(parses(changed));
    });
    fc.assert(whole, { numRuns: 100 });
    fc.assert(broken, { numRuns: 300 });
  });

  it("passes long texts without escapes, with many of them, and blanks", () => {
    for (const part of ["a", "\\n", "\\u0000", "é"]) {
      expect(scans(`{"a":["${part.repeat(4_000_000)}"]}`), part).toBe(true);
      expect(scans(`{"a":["${part.repeat(4_000_000)}]}`), part).toBe(false);
    }
    expect(scans(`[${" ".repeat(40_000)}]`)).toBe(true);
    expect(scans(`{${" ".repeat(40_000)}}`)).toBe(true);
  });

  it("gives the values of data as they are written", () => {
    const members = fc.dictionary(fc.string(), fc.json({ maxDepth: 3 }));
    const law = fc.property(members, fc.constantFrom("", " ", "\n\t"), (given, blank) => {
      const data = Object.entries(given).map(([key, text]) => `${JSON.stringify(key)}${blank}:${blank}${text}${blank}`);
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
