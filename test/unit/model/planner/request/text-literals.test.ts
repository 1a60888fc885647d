import fc from "fast-check";
import { Lexer, Source, TokenKind } from "graphql";
import { describe, expect, it } from "vitest";
import { literalsOf } from "../../../../../runtime/model/planner/request/text-literals.ts";

/** Returns the values of a text's literals according to the GraphQL lexer; `undefined` for an invalid text. */
function literalsByLexer(text: string): readonly string[] | undefined {
  const found: string[] = [];
  try {
    const lexer = new Lexer(new Source(text));
    for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
      if (token.kind === TokenKind.BLOCK_STRING) return undefined;
      const isLiteral =
        token.kind === TokenKind.INT || token.kind === TokenKind.FLOAT || token.kind === TokenKind.STRING;
      if (isLiteral) found.push(`${token.kind} ${token.value}`);
    }
  } catch {
    return undefined;
  }
  return found;
}

/** Returns all tokens without the values of literals. */
function tokensOf(text: string): string {
  const lexer = new Lexer(new Source(text));
  const tokens: string[] = [];
  for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
    tokens.push(token.kind === TokenKind.NAME ? token.value : token.kind);
  }
  return tokens.join(" ");
}

const fragment = fc.oneof(
  fc.constantFrom("{", "}", "(", ")", ":", "...", "$", "@", " ", ",", "\n", "\t", "#", "\u0001", "\u0003", "\\"),
  fc.constantFrom("a", "e1", "_2", "1", "-1", "0", "01", "1.5", "1.", "1e5", "1E-3x", "-", ".5", "1.5.2", "0x1"),
  fc.constantFrom('"', '""', '"""', '"a"', '"\\""', '"\\n"', '"\\u0041"', '"\\x"', '"#"', '"🚲"', '"\ud83d"', "é"),
  fc.string({ unit: "binary", maxLength: 3 }),
);
const anyText = fc.array(fragment, { maxLength: 12 }).map((parts) => parts.join(""));

describe("Literals of query texts", () => {
  it("literalsOf returns the literals that the GraphQL lexer finds, or none", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const found = literalsOf(text);
        const expected = literalsByLexer(text);
        if (found === undefined || expected === undefined) return;
        expect(found.values.map(String)).toEqual(expected.map((each) => each.replace(/^\w+ /, "")));
      }),
      { numRuns: 5000 },
    );
  });

  it("Texts with the same template differ only in their literals", () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        const [first, second] = [literalsOf(a), literalsOf(b)];
        if (first === undefined || first.template !== second?.template) return;
        if (literalsByLexer(a) === undefined || literalsByLexer(b) === undefined) {
          expect([literalsByLexer(a), literalsByLexer(b)]).toEqual([undefined, undefined]);
          return;
        }
        expect(tokensOf(a)).toBe(tokensOf(b));
      }),
      { numRuns: 20_000 },
    );
  });

  it.each([
    ["{ a(b: 1) }", [1]],
    ['{ a1(b2: "x", c: -2.5e3) }', ["x", "-2.5e3"]],
    ['{ a(b: "say \\"x\\" \\\\") } # "c" 5', ['say "x" \\']],
    ["{ a(b: 12345678901234567890, c: 9007199254740991) }", ["12345678901234567890", 9007199254740991]],
    ['{ a(b: ["", "🚲"]) }', ["", "🚲"]],
  ])("literalsOf returns the literals of %s", (text, values) => {
    expect(literalsOf(text)?.values.map((value) => (typeof value === "object" ? value.text : value))).toEqual(values);
  });

  it.each([
    ["without literals", "{ a }"],
    ["with a block string", '{ a(b: """x""") }'],
    ["with an unterminated string", '{ a(b: "x) }'],
    ["with an escaped code point", '{ a(b: "\\u0041") }'],
    ["with a leading zero", "{ a(b: 01) }"],
    ["with a negative zero", "{ a(b: -0) }"],
    ["with a number in a name", "{ a(b: 1x) }"],
    ["with a control character", "{ a(b: 1\u0001) }"],
    ["that is too long", `{ a(b: 1) }${" ".repeat(20_000)}`],
  ])("literalsOf returns undefined for a text %s", (_, text) => {
    expect(literalsOf(text)).toBeUndefined();
  });
});
