import { describe, expect, it } from "vitest";
import { call, commented, group, layOut, object, sequence } from "../../../compiler/4-emit/layout.ts";

const long = "x".repeat(60);

describe("Layout of generated code", () => {
  it("Code that fits stays on one line", () => {
    expect(layOut(call("f", "a", object(["b: 1", "c"])))).toBe("f(a, { b: 1, c })");
    expect(layOut(group("[", [], "]"))).toBe("[]");
    expect(layOut(object([]))).toBe("{}");
  });

  it("Each item of a group has its own line if they do not fit on one", () => {
    expect(layOut(group("[", [long, long], "]"))).toBe(`[\n  ${long},\n  ${long},\n]`);
  });

  it("The brace of a trailing object stays on the line of its call", () => {
    expect(layOut(call("f", "a", object([long, long])))).toBe(`f(a, {\n  ${long},\n  ${long},\n})`);
  });

  it("The arguments of a call are broken if the trailing brace would be too far right", () => {
    expect(layOut(call("f", long, long, object(["a: 1"])))).toBe(`f(\n  ${long},\n  ${long},\n  { a: 1 },\n)`);
  });

  it("The outer group is broken before the inner one", () => {
    const inner = group("[", ["a", "b"], "]");
    expect(layOut(object([sequence("x: ", inner), long, long]))).toBe(`{\n  x: [a, b],\n  ${long},\n  ${long},\n}`);
  });

  it("Code that follows on the same line counts toward its length", () => {
    const code = sequence(group("[", ["a".repeat(40), "b".repeat(40)], "]"), ".as(const very_long)");
    expect(layOut(code)).toContain("[\n");
  });

  it("Comments have their own lines", () => {
    expect(layOut(object([commented(["Why."], "a: 1"), "b"]))).toBe("{\n  /** Why. */\n  a: 1,\n  b,\n}");
  });
});
