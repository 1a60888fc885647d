import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EngineError } from "../../../../runtime/values/errors.ts";
import { runToCompletion } from "../../../../runtime/values/interruptible.ts";
import {
  parseDatabaseJson,
  parseJson,
  parseJsonInSlices,
  parseStored,
  readJson,
} from "../../../../runtime/values/json/parse.ts";
import { JsonNumber, stringifyJson } from "../../../../runtime/values/json-number.ts";

function failure(text: string): { code: string; path: string; message: string } {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof EngineError) return { code: error.code, path: error.path, message: error.message };
    throw error;
  }
  throw new Error("the text was accepted");
}

/** Returns the same number as a fraction: digits without a point, and the number of digits after it. */
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

/** If a text contains a long number, all its numbers take the lossless path. */
const longNumber = "12345678901234567890";

const jsonText = fc
  .tuple(fc.jsonValue(), fc.constantFrom(undefined, 1, "\t", "\n "))
  .map(([value, indent]) => JSON.stringify(value, null, indent))
  .filter((text) => !/"__proto__"\s*:/.test(text));

describe("JSON parsing", () => {
  it("parseJson detects long numbers and deep nesting at any position", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40 }), fc.array(numberText, { maxLength: 5 }), (length, numbers) => {
        const text = `{"${"a".repeat(length)}": [${numbers.join()}]}`;
        expect(stringifyJson(parseJson(text))).toBe(stringifyJson(runToCompletion(readJson(text))));
      }),
    );
    const mixed = (lists: number, objects: number): string =>
      `${"[".repeat(lists)}${'{"a":'.repeat(objects)}1${"}".repeat(objects)}${"]".repeat(lists)}`;
    expect(JSON.stringify(parseJson(mixed(250, 250)))).toBe(mixed(250, 250));
    expect(failure(mixed(250, 251)).code).toBe("parse-failed");
    expect(parseJson(`[${"[],".repeat(600)}"${"{".repeat(600)}"]`)).toHaveLength(601);
  });

  it("parseJson returns the value of JSON.parse in both of its implementations", () => {
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

  it("parseJson keeps every digit of any number", () => {
    fc.assert(
      fc.property(numberText, (text) => {
        expect(sameNumber(stringifyJson(parseJson(text)), text)).toBe(true);
        expect(sameNumber(stringifyJson(parseJson(`{"n":[${text}]}`)).slice(6, -2), text)).toBe(true);
      }),
    );
  });

  it("parseJson returns a plain number if the number fits one", () => {
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
  ])("parseJson parses %s", (text, value) => {
    expect(parseJson(text)).toEqual(value);
  });

  it("parseJson leaves digits inside strings unchanged", () => {
    const value = { id: "9223372036854775807", 'quote"\\': '\\"9223372036854775807', n: 1 };
    expect(parseJson(JSON.stringify(value))).toEqual(value);
  });

  it("parseJson keeps the last of members with the same name, as JSON.parse does", () => {
    expect(parseJson(`{"a":1,"a":${longNumber}}`)).toEqual({ a: new JsonNumber(longNumber) });
  });

  it("parseJson takes no string for a number, whatever the string", () => {
    const value = { a: ["\u00000", "\u0000", `\u00001 ${longNumber}`], n: new JsonNumber(longNumber) };
    expect(parseJson(stringifyJson(value))).toEqual(value);
    expect(parseJson(stringifyJson(value).replaceAll("\\u0000", "\u0000"))).toEqual(value);
  });

  it("parseStored and parseDatabaseJson accept any keys and depth, and parseStored preserves the text of numbers", () => {
    const member = fc.tuple(fc.constantFrom("a", "__proto__", "\\u005f_proto__"), numberText);
    fc.assert(
      fc.property(fc.array(member), fc.integer({ min: 0, max: 600 }), (members, depth) => {
        const object = `{${members.map(([key, number]) => `"${key}":[${number}]`).join()}}`;
        const text = `${"[".repeat(depth)}${object}${"]".repeat(depth)}`;
        const last = new Map(members.map(([key, number]) => [String(JSON.parse(`"${key}"`)), number]));
        let found = parseStored(text);
        for (let level = 0; level < depth; level++) [found] = found as unknown[];
        expect(Object.keys(Object(found))).toEqual([...last.keys()]);
        for (const [key, number] of last) expect(stringifyJson(Object(found)[key])).toBe(`[${number}]`);
        expect(JSON.stringify(parseDatabaseJson(text)).length).toBeGreaterThan(2 * depth);
      }),
    );
  });

  it("parseJson puts each long number where the reader of long texts does", () => {
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
      expect(parseJson(text)).toEqual(runToCompletion(readJson(text)));
    });
    fc.assert(same, { numRuns: 1000, examples: [[`{"a":${longNumber},"\\u0061":[${longNumber}],"a":{"b":[1]}}`]] });
  });

  it("parseJson refuses a number longer than any database number", () => {
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
  ])("parseJson refuses %j", (text) => {
    expect(failure(text)).toMatchObject({ code: "invalid-json", path: "$" });
  });

  it("parseJson accepts raw control characters only inside strings", () => {
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
        expect(runToCompletion(readJson(raw))).toEqual(value);
      }),
    );
  });

  it("An error of parseJson does not quote the body", () => {
    expect(failure('{"password": hunter2, "more": "hunter2"}').message).not.toContain("hunter2");
  });

  it.each(['{"a":{"__proto__":{"admin":true}}}', '{"a":{"__pr\\u006fto__":1}}', '{"a":{"\\u005F_proto__" : 1}}'])(
    "parseJson refuses the key __proto__: %s",
    (text) => {
      expect(failure(text)).toEqual({
        code: "parse-failed",
        path: "$.a",
        message: 'the key "__proto__" is not allowed',
      });
    },
  );

  it("parseJson accepts __proto__ where it is not a key", () => {
    expect(parseJson('{"query":"{ __proto__ }","constructor":{"prototype":1}}')).toEqual({
      query: "{ __proto__ }",
      constructor: { prototype: 1 },
    });
  });

  it("parseJson refuses deep nesting of any depth", () => {
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

describe("The reader of long JSON texts", () => {
  const read = (text: string) => runToCompletion(readJson(text));

  it("readJson returns the same value as parseJson", () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        expect(read(text)).toEqual(parseJson(text));
      }),
    );
  });

  it("readJson refuses and accepts the same texts as parseJson", () => {
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

  it("readJson reports the path of a __proto__ key and refuses deep nesting and overlong numbers", () => {
    expect(() => read('{"b":1,"a":[0,{"__pr\\u006fto__":{}}]}')).toThrow(
      expect.objectContaining({ code: "parse-failed", path: "$.a[1]" }),
    );
    expect(() => read("[".repeat(501))).toThrow("nested deeper than 500 levels");
    expect(() => read(`{"a":[1${"0".repeat(200_000)}]}`)).toThrow("a number is longer than 200000 characters");
  });

  it("readJson reads long lists correctly with any values between their items", () => {
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

  /** Returns milliseconds of processor time, which other load does not affect but garbage collection threads do. */
  function longestPiece(text: string): number {
    const work = readJson(text);
    let longest = 0;
    for (let done: boolean | undefined; done !== true; ) {
      const [began, enough] = [process.cpuUsage(), performance.now() + 5];
      // Short pieces are measured together, because a measurement takes longer than a piece.
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
  ])("readJson reads megabytes of %s in slices", { timeout: 60_000 }, (_, text) => {
    // A full garbage collection may fall into one run; real pauses occur in each.
    let longest = Number.POSITIVE_INFINITY;
    for (let reading = 0; reading < 5 && longest >= 100; reading++) longest = Math.min(longest, longestPiece(text));
    expect(longest).toBeLessThan(100);
  });

  it("parseJsonInSlices yields to other work", async () => {
    let turns = 0;
    const reading = parseJsonInSlices(filled("[", '{"id":1,"name":"a"},', "{}]"));
    expect(reading).toBeInstanceOf(Promise);
    const beat = setInterval(() => turns++, 1);
    await reading;
    clearInterval(beat);
    expect(turns).toBeGreaterThan(2);
    expect(parseJsonInSlices("[1]")).toEqual([1]);
  });
});

describe("JSON serialization", () => {
  it("stringifyJson returns the text of JSON.stringify", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(stringifyJson(value)).toBe(JSON.stringify(value));
        expect(stringifyJson([value, new JsonNumber(longNumber)])).toBe(`[${JSON.stringify(value)},${longNumber}]`);
      }),
    );
  });

  it("stringifyJson omits undefined members", () => {
    expect(stringifyJson({ a: undefined, b: new JsonNumber("1.00") })).toBe('{"b":1.00}');
    expect(stringifyJson(undefined)).toBe("null");
  });

  it("JSON.stringify writes a JsonNumber as a string with all digits", () => {
    expect(JSON.stringify({ id: new JsonNumber(longNumber) })).toBe(`{"id":"${longNumber}"}`);
  });
});
