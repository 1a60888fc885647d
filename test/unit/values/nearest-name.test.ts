import { describe, expect, it } from "vitest";
import { didYouMean, nearestName } from "../../../runtime/values/nearest-name.ts";

describe("Nearest names", () => {
  it.each([
    ["wher", "where"],
    ["whree", "where"],
    ["Where", "where"],
    ["order_bye", "order_by"],
    ["x", undefined],
    ["completely_else", undefined],
    ["where", undefined],
  ])("The nearest name of %s is %s", (name, expected) => {
    expect(nearestName(name, ["limit", "where", "order_by"])).toBe(expected);
  });

  it("nearestName prefers the closest name, then the first", () => {
    expect(nearestName("colum", ["columns", "column"])).toBe("column");
    expect(nearestName("cat", ["bat", "rat"])).toBe("bat");
  });

  it("didYouMean returns a question with the nearest name", () => {
    expect(didYouMean("wher", ["where"])).toBe('did you mean "where"?');
    expect(didYouMean("zzz", ["where"])).toBeUndefined();
  });
});
