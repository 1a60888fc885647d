import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EngineError } from "../../../runtime/support/errors.ts";
import { JsonNumber, stringifyJson } from "../../../runtime/support/json-number.ts";
import { parseJson } from "../../../runtime/support/parse-json.ts";

function failure(text: string): { code: string; path: string; message: string } {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof EngineError) return { code: error.code, path: error.path, message: error.message };
    throw error;
  }
  throw new Error("the text was accepted");
}

/** The same number as a fraction: digits without a point, and how many of them stand after it. */
function exactly(text: string): { digits: bigint; scale: number } {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  return { digits: BigInt(`${sign}${whole}${fraction}`), scale: fraction.length - Number(exponent) };
}

function sameNumber(one: string, other: string): boolean {
  const a = exactly(one);
  const b = exactly(other);
  const scale = Math.max(a.scale, b.scale);
  return a.digits * 10n ** BigInt(scale - a.scale) === b.digits * 10n ** BigInt(scale - b.scale);
}

const digits = (maximum: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${maximum}}$`));
const numberText = fc
  .record({
    sign: fc.constantFrom("", "-"),
    whole: fc.oneof(
      fc.constant("0"),
      digits(30).map((text) => text.replace(/^0+(?=\d)/, "")),
    ),
    fraction: fc.option(digits(25), { nil: null }),
    exponent: fc.option(fc.tuple(fc.constantFrom("e", "E", "e+", "e-"), fc.integer({ min: 0, max: 400 })), {
      nil: null,
    }),
  })
  .map(({ sign, whole, fraction, exponent }) =>
    [sign, whole, fraction === null ? "" : `.${fraction}`, ...(exponent ?? [])].join(""),
  );

/** Beside a long number everything else takes the lossless way too. */
const longNumber = "12345678901234567890";

const jsonText = fc
  .tuple(fc.jsonValue(), fc.constantFrom(undefined, 1, "\t", "\n "))
  .map(([value, indent]) => JSON.stringify(value, null, indent))
  .filter((text) => !/"__proto__"\s*:/.test(text));

describe("parseJson", () => {
  it("reads what JSON.parse reads, both ways", () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        expect(parseJson(text)).toEqual(JSON.parse(text));
        expect(parseJson(` [ ${text} ,${longNumber}]`)).toEqual([JSON.parse(text), new JsonNumber(longNumber)]);
        expect(parseJson(`{"a":${longNumber}, "b" : ${text}\r\n}`)).toEqual({
          a: new JsonNumber(longNumber),
          b: JSON.parse(text),
        });
      }),
    );
  });

  it("loses no digit of any number", () => {
    fc.assert(
      fc.property(numberText, (text) => {
        expect(sameNumber(stringifyJson(parseJson(text)), text)).toBe(true);
        expect(sameNumber(stringifyJson(parseJson(`{"n":[${text}]}`)).slice(6, -2), text)).toBe(true);
      }),
    );
  });

  it("keeps what fits a plain number", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        const text = JSON.stringify(number);
        expect(parseJson(text)).toBe(JSON.parse(text));
      }),
    );
  });

  it.each([
    ["9007199254740992", 9007199254740992],
    ["9007199254740993", new JsonNumber("9007199254740993")],
    ["9223372036854775807", new JsonNumber("9223372036854775807")],
    ["-9223372036854775808", new JsonNumber("-9223372036854775808")],
    ["0.1", 0.1],
    ["0.10000000000000000", 0.1],
    ["0.30000000000000004", 0.30000000000000004],
    ["123456789012345.6789", new JsonNumber("123456789012345.6789")],
    ["1e400", new JsonNumber("1e400")],
    ["1e-400", new JsonNumber("1e-400")],
    ["1e3", 1000],
    ["100000000000000000000", 100000000000000000000],
  ])("%s", (text, value) => {
    expect(parseJson(text)).toEqual(value);
  });

  it("does not take digits in texts for numbers", () => {
    const value = { id: "9223372036854775807", 'quote"\\': '\\"9223372036854775807', n: 1 };
    expect(parseJson(JSON.stringify(value))).toEqual(value);
  });

  it("keeps the last of members with the same name, as JSON.parse does", () => {
    expect(parseJson(`{"a":1,"a":${longNumber}}`)).toEqual({ a: new JsonNumber(longNumber) });
  });

  it.each(["", " ", "{", '{"a":}', "[1,]", "nul", "'a'", '{"a":1}x', "\uFEFF{}", '"\u0001"', "01"])(
    "refuses %j",
    (text) => {
      expect(failure(text)).toMatchObject({ code: "invalid-json", path: "$" });
    },
  );

  it("does not repeat the body in its message", () => {
    expect(failure('{"password": hunter2, "more": "hunter2"}').message).not.toContain("hunter2");
  });

  it.each(['{"a":{"__proto__":{"admin":true}}}', '{"a":{"__pr\\u006fto__":1}}', '{"a":{"\\u005F_proto__" : 1}}'])(
    "refuses the key of the prototype: %s",
    (text) => {
      expect(failure(text)).toEqual({
        code: "parse-failed",
        path: "$.a",
        message: 'the key "__proto__" is not allowed',
      });
    },
  );

  it("accepts the word where it is not a key", () => {
    expect(parseJson('{"query":"{ __proto__ }","constructor":{"prototype":1}}')).toEqual({
      query: "{ __proto__ }",
      constructor: { prototype: 1 },
    });
  });

  it("refuses deep nesting, however deep", () => {
    const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
    expect(parseJson(nested(500))).toEqual(JSON.parse(nested(500)));
    for (const text of [nested(501), nested(1_000_000), `{"a":${'{"b":'.repeat(500)}1${"}".repeat(501)}`]) {
      expect(failure(text)).toEqual({
        code: "parse-failed",
        path: "$",
        message: "the JSON body is nested deeper than 500 levels",
      });
    }
    expect(parseJson(JSON.stringify("[".repeat(1000)))).toBe("[".repeat(1000));
  });
});

describe("stringifyJson", () => {
  it("writes what JSON.stringify writes", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(stringifyJson(value)).toBe(JSON.stringify(value));
        expect(stringifyJson([value, new JsonNumber(longNumber)])).toBe(`[${JSON.stringify(value)},${longNumber}]`);
      }),
    );
  });

  it("leaves undefined members out", () => {
    expect(stringifyJson({ a: undefined, b: new JsonNumber("1.00") })).toBe('{"b":1.00}');
    expect(stringifyJson(undefined)).toBe("null");
  });

  it("keeps the digits even where JSON.stringify is used", () => {
    expect(JSON.stringify({ id: new JsonNumber(longNumber) })).toBe(`{"id":"${longNumber}"}`);
  });
});
