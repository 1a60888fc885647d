import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EngineError } from "../../../runtime/values/errors.ts";
import { atOnce } from "../../../runtime/values/interruptible.ts";
import { JsonNumber, stringifyJson } from "../../../runtime/values/json-number.ts";
import { readJson } from "../../../runtime/values/json-reader.ts";
import { parseJson, parseJsonBetweenOthers } from "../../../runtime/values/parse-json.ts";

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
  it("finds long numbers and depth wherever they stand", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40 }), fc.array(numberText, { maxLength: 5 }), (length, numbers) => {
        const text = `{"${"a".repeat(length)}": [${numbers.join()}]}`;
        expect(stringifyJson(parseJson(text))).toBe(stringifyJson(atOnce(readJson(text))));
      }),
    );
    const mixed = (lists: number, objects: number): string =>
      `${"[".repeat(lists)}${'{"a":'.repeat(objects)}1${"}".repeat(objects)}${"]".repeat(lists)}`;
    expect(JSON.stringify(parseJson(mixed(250, 250)))).toBe(mixed(250, 250));
    expect(failure(mixed(250, 251)).code).toBe("parse-failed");
    expect(parseJson(`[${"[],".repeat(600)}"${"{".repeat(600)}"]`)).toHaveLength(601);
  });

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

  it("puts each long number where it belongs, as the reader of long texts does", () => {
    const keys = fc.constantFrom("a", "b", "\\u0061", "1", "constructor", 'c\\"{', "");
    const { value: texts } = fc.letrec<{ value: string }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.oneof(numberText, fc.constantFrom("1.10", longNumber, '"12345678901234567890"', "null")),
        fc.array(tie("value"), { maxLength: 4 }).map((items) => `[${items.join(" , ")}]`),
        fc
          .array(fc.tuple(keys, tie("value")), { maxLength: 5 })
          .map((members) => `{${members.map(([key, text]) => `"${key}" :${text}`).join(", ")}}`),
      ),
    }));
    const same = fc.property(texts, (text) => {
      expect(parseJson(text)).toEqual(atOnce(readJson(text)));
    });
    fc.assert(same, { numRuns: 1000, examples: [[`{"a":${longNumber},"\\u0061":[${longNumber}],"a":{"b":[1]}}`]] });
  });

  it("refuses a number that is longer than any of a database", () => {
    expect(failure(`{"a":[1,${"9".repeat(200_001)}]}`)).toMatchObject({ code: "parse-failed", path: "$.a[1]" });
  });

  it.each([
    "",
    " ",
    "{",
    '{"a":}',
    "[1,]",
    "nul",
    "'a'",
    '{"a":1}x',
    "\uFEFF{}",
    '"\\\u0001"',
    '{\u0001"a":1}',
    '"\u0001',
    "01",
  ])("refuses %j", (text) => {
    expect(failure(text)).toMatchObject({ code: "invalid-json", path: "$" });
  });

  it("takes raw control characters in strings, and nowhere else", () => {
    expect(parseJson('{"query": "{\n\t\u0000a }", "b\r": ["\\\\\n\\"\n"]}')).toEqual({
      query: "{\n\t\u0000a }",
      "b\r": ['\\\n"\n'],
    });
    const parts = fc.array(fc.constantFrom("\n", "\t", "\u0001", "\\", '"', "a", "{", "\u2028"));
    const strings = fc.array(
      parts.map((all) => all.join("")),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(strings, fc.boolean(), (texts, isLong) => {
        const value = [{ texts }, ...(isLong ? [new JsonNumber(longNumber)] : [])];
        const escaped = stringifyJson(value);
        const raw = escaped.replace(/\\(?:([nt])|u0001|[\s\S])/g, (found, letter) =>
          letter ? (letter === "n" ? "\n" : "\t") : found === "\\u0001" ? "\u0001" : found,
        );
        expect(parseJson(raw)).toEqual(value);
        expect(atOnce(readJson(raw))).toEqual(value);
      }),
    );
  });

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

describe("the reader of long texts", () => {
  const read = (text: string) => atOnce(readJson(text));

  it("reads what parseJson reads", () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        expect(read(text)).toEqual(parseJson(text));
      }),
    );
  });

  it("refuses what parseJson refuses, and accepts what it accepts", () => {
    const pieces = fc.constantFrom(
      ...'{}[]:,"\\ 019.-+eEtruefalsnu\n\u0001',
      '"a"',
      '"a":',
      "null",
      '"\\u00',
      "1e5",
      "-0",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join("");
        const outcome = (parse: (text: string) => unknown) => {
          try {
            return { value: parse(text) };
          } catch (error) {
            if (error instanceof EngineError) return error.code;
            throw error;
          }
        };
        expect(outcome(read)).toEqual(outcome(parseJson));
      }),
      { numRuns: 5000 },
    );
  });

  it("says where a key of the prototype stands, and refuses deep nesting and endless numbers", () => {
    expect(() => read('{"b":1,"a":[0,{"__pr\\u006fto__":{}}]}')).toThrow(
      expect.objectContaining({ code: "parse-failed", path: "$.a[1]" }),
    );
    expect(() => read("[".repeat(501))).toThrow("nested deeper than 500 levels");
    expect(() => read(`{"a":[1${"0".repeat(200_000)}]}`)).toThrow("a number is longer than 200000 characters");
  });

  it("reads long lists as their items, whatever stands between these", () => {
    const row = { id: 1, text: 'a ] } , \\ "quoted" [ {', rows: [{ id: -2.5 }, [], {}], none: null };
    const rows = (count: number): string => Array.from({ length: count }, () => JSON.stringify(row)).join(" ,\n");
    const long = `{"rows":[${longNumber}],"n":1e400}`;
    const text = `[${rows(5000)},${long},${rows(1)},"${"\\\\".repeat(100_000)}",${rows(5000)}, ${long} ]`;
    const value = read(text) as unknown[];
    expect(value).toHaveLength(10_004);
    expect(stringifyJson(value)).toBe(text.replaceAll(" ,\n", ",").replace(`, ${long} ]`, `,${long}]`));
    for (const end of ["", ",]", `,{"a":1]`, "}]", ` ${long}]`])
      expect(() => read(`[${rows(5000)}${end}`)).toThrow("JSON");
    expect(() => read(`{"a":[${rows(5000)},{"\\u005f_proto__":1}]}`)).toThrow(
      expect.objectContaining({ code: "parse-failed", path: "$.a[5000]" }),
    );
    expect(() => read(`[${rows(5000)},${"[".repeat(500)}1${"]".repeat(500)}]`)).toThrow(
      "nested deeper than 500 levels",
    );
  });

  const mebibyte = 1024 * 1024;
  const filled = (before: string, part: string, after: string, length = 2 * mebibyte): string =>
    before + part.repeat((length - before.length - after.length) / part.length) + after;

  /** In milliseconds of the processor, so that a busy machine does not count; threads that collect garbage do. */
  function longestPiece(text: string): number {
    const work = readJson(text);
    let longest = 0;
    for (let done: boolean | undefined; done !== true; ) {
      const [began, enough] = [process.cpuUsage(), performance.now() + 5];
      // Short pieces are measured together: to ask takes longer than they do.
      do done = work.next().done;
      while (done !== true && performance.now() < enough);
      const { user, system } = process.cpuUsage(began);
      longest = Math.max(longest, (user + system) / 1000);
    }
    return longest;
  }

  it.each([
    ["empty lists", filled("[", "[],", "[]]")],
    ["empty objects", filled("[", "{},", "{}]")],
    ["rows", filled("[", '{"id":1,"name":"a"},', "{}]")],
    ["lists in rows", filled("[", `{"rows":[${"[1],".repeat(20_000)}2]},`, "{}]")],
    ["members of one object", `{${Array.from({ length: 100_000 }, (_, i) => `"k${i}":${i}`).join()}}`],
    ["short numbers", filled("[", "1,", "1]")],
    ["long numbers", filled("[", "12345678901234567890,", "1]")],
    ["numbers of 100,000 digits", filled("[", `${"12".repeat(50_000)},`, "1]")],
    ["one string", filled('"', "a", '"', 8 * mebibyte)],
    ["one string of escapes", filled('"', "\\u0041", '"', 8 * mebibyte)],
    ["one string of quotes", filled('"', '\\"', '"', 8 * mebibyte)],
    ["one string of backslashes", filled('"', "\\\\", '"', 8 * mebibyte)],
    ["blanks", filled("[", " ", "]", 8 * mebibyte)],
  ])("reads megabytes of %s in pieces", { timeout: 60_000 }, (_, text) => {
    // A collection of all garbage may fall into one reading; what is not in pieces is so in each.
    let longest = Number.POSITIVE_INFINITY;
    for (let reading = 0; reading < 5 && longest >= 100; reading++) longest = Math.min(longest, longestPiece(text));
    expect(longest).toBeLessThan(100);
  });

  it("lets others have their turn", async () => {
    let turns = 0;
    const reading = parseJsonBetweenOthers(filled("[", '{"id":1,"name":"a"},', "{}]"));
    expect(reading).toBeInstanceOf(Promise);
    const beat = setInterval(() => turns++, 1);
    await reading;
    clearInterval(beat);
    expect(turns).toBeGreaterThan(2);
    expect(parseJsonBetweenOthers("[1]")).toEqual([1]);
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
