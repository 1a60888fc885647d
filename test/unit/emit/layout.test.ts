import { describe, expect, it } from "vitest";
import { call, commented, group, layOut, object, sequence } from "../../../compiler/4-emit/layout.ts";

const long = "x".repeat(60);

describe("layOut", () => {
  it("keeps what fits on one line", () => {
    expect(layOut(call("f", "a", object(["b: 1", "c"])))).toBe("f(a, { b: 1, c })");
    expect(layOut(group("[", [], "]"))).toBe("[]");
    expect(layOut(object([]))).toBe("{}");
  });

  it("gives every item a line where they do not fit", () => {
    expect(layOut(group("[", [long, long], "]"))).toBe(`[\n  ${long},\n  ${long},\n]`);
  });

  it("keeps the brace of a last object on the line of its call", () => {
    expect(layOut(call("f", "a", object([long, long])))).toBe(`f(a, {\n  ${long},\n  ${long},\n})`);
  });

  it("breaks the arguments of a call where the brace would stand too far right", () => {
    expect(layOut(call("f", long, long, object(["a: 1"])))).toBe(`f(\n  ${long},\n  ${long},\n  { a: 1 },\n)`);
  });

  it("breaks the outer group before the inner one", () => {
    const inner = group("[", ["a", "b"], "]");
    expect(layOut(object([sequence("x: ", inner), long, long]))).toBe(`{\n  x: [a, b],\n  ${long},\n  ${long},\n}`);
  });

  it("counts what follows on the same line", () => {
    const code = sequence(group("[", ["a".repeat(40), "b".repeat(40)], "]"), ".as(const very_long)");
    expect(layOut(code)).toContain("[\n");
  });

  it("puts comments on lines of their own", () => {
    expect(layOut(object([commented(["Why."], "a: 1"), "b"]))).toBe("{\n  /** Why. */\n  a: 1,\n  b,\n}");
  });
});
