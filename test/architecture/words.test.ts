/** The English of comments, messages, labels, pages, test names and commit subjects (`docs/internals/terms.md`). */
import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { constructions, texts } from "./words.ts";

/** Earlier commits were written without the rules. */
const firstCommit = "Define the terms of the product";

describe("Words", () => {
  it("Texts are extracted from code and pages", () => {
    const kinds = ["docstring", "comment", "test name", "string", "page"];
    expect(kinds.filter((kind) => texts.filter((text) => text.kind === kind).length < 500)).toEqual([]);
  });

  it.each(constructions)("No text contains $pattern: write $instead", ({ pattern, kinds }) => {
    const found = texts.filter(({ kind, text }) => (kinds?.includes(kind) ?? true) && pattern.test(text));
    expect(found.map(({ at, text }) => `${at}: ${text.slice(0, 160)}`)).toEqual([]);
  });

  it("No commit subject since the rules begins with a verb of speech", () => {
    const subjects = execFileSync("git", ["log", "-500", "--format=%s"]).toString().split("\n");
    const since = subjects.slice(0, Math.max(0, subjects.indexOf(firstCommit)));
    expect(since.filter((subject) => /^(Say|Tell|Ask|Have|Let|Give|Try)\b/.test(subject))).toEqual([]);
  });
});
