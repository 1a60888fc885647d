import { runInNewContext, runInThisContext } from "node:vm";
import { transformSync } from "esbuild";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { docComment, headerText } from "../../../compiler/4-emit/comments.ts";
import {
  commentText,
  propertyAccess,
  propertyKey,
  stringLiteral,
  templateLiteral,
} from "../../../compiler/4-emit/escape.ts";
import { anyText } from "../../support/any-text.ts";

const text = fc.oneof(
  anyText(),
  fc.string({
    unit: fc.constantFrom(
      "`",
      "$",
      "{",
      "}",
      "\\",
      "*",
      "/",
      '"',
      "'",
      "\n",
      "\r",
      "\u2028",
      "\u2029",
      "@",
      "#",
      " ",
      "a",
      "\u202e",
    ),
  }),
);

/** Matches text without line terminators and invisible characters. */
const visible = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]*$/u;

describe("Escaping in generated code", () => {
  it("A string literal evaluates to its text", () => {
    fc.assert(
      fc.property(text, (text) => {
        expect(runInThisContext(stringLiteral(text))).toBe(text);
        expect(stringLiteral(text)).toMatch(visible);
      }),
      { numRuns: 1000 },
    );
  });

  it("A template literal evaluates to its text", () => {
    fc.assert(
      fc.property(text, (text) => {
        expect(runInThisContext(templateLiteral(text))).toBe(text);
        expect(templateLiteral(text)).toMatch(visible);
      }),
      { numRuns: 1000 },
    );
  });

  it("A comment contains all of its text, for any text", () => {
    fc.assert(
      fc.property(text, (text) => {
        const line = `${headerText("//", { from: text, slice: "0" })}1`;
        const block = `${docComment([text, text])}1`;
        expect(runInThisContext(line)).toBe(1);
        expect(runInThisContext(block)).toBe(1);
        expect(commentText(text)).toMatch(visible);
      }),
      { numRuns: 1000 },
    );
  });

  it("A comment never forms an annotation that tools act on", () => {
    for (const text of [
      "@ts-ignore",
      "@ts-nocheck",
      "x\n@ts-expect-error",
      "#__PURE__",
      "# sourceMappingURL=x",
      "/# x",
    ]) {
      expect(docComment([text])).not.toMatch(/(?<!\\)[@#]/);
    }
    expect(commentText("mail a@b.c, see issue #5, C#")).toBe("mail a@b.c, see issue #5, C#");
  });

  it("Text cannot end a comment early", () => {
    expect(docComment(["a */ alert(1) /*"])).toBe("/** a *\\/ alert(1) /* */\n");
  });

  it("Every property name becomes an own property", () => {
    fc.assert(
      fc.property(fc.oneof(text, fc.constantFrom("__proto__", "constructor", "class", "a-b", "1")), (name) => {
        const [object, value] = runInThisContext(
          `(() => { const o = { ${propertyKey(name)}: 7 }; return [o, ${propertyAccess("o", name)}]; })()`,
        ) as [object, number];
        expect(Object.entries(object)).toEqual([[name, 7]]);
        expect(value).toBe(7);
      }),
      { numRuns: 500 },
    );
  });

  it("esbuild reads generated literals as the same text", () => {
    fc.assert(
      fc.property(text, (text) => {
        const { code } = transformSync(`export const a = ${templateLiteral(text)}`, { loader: "ts", format: "cjs" });
        const module = { exports: {} as { a?: unknown } };
        runInNewContext(code, { module });
        expect(module.exports.a).toBe(text);
      }),
      { numRuns: 50 },
    );
  });
});

describe("Doc comments", () => {
  it("A doc comment is one line if it fits, and wrapped otherwise", () => {
    expect(docComment(["Short."])).toBe("/** Short. */\n");
    const long = docComment([`${"word ".repeat(30)}end.`]);
    expect(long.split("\n").every((line) => line.length <= 100)).toBe(true);
    expect(long.startsWith("/**\n * word")).toBe(true);
  });

  it("A doc comment for an empty text is empty", () => {
    expect(docComment([])).toBe("");
    expect(docComment([" "])).toBe("");
  });
});
