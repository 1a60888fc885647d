import { describe, expect, it } from "vitest";
import { didYouMean, nearestName } from "../../../runtime/values/nearest-name.ts";

describe("nearestName", () => {
  it.each([
    ["wher", "where"],
    ["whree", "where"],
    ["Where", "where"],
    ["order_bye", "order_by"],
    ["x", undefined],
    ["completely_else", undefined],
    ["where", undefined],
  ])("%s → %s", (given, expected) => {
    expect(nearestName(given, ["limit", "where", "order_by"])).toBe(expected);
  });

  it("prefers the closest, then the first", () => {
    expect(nearestName("colum", ["columns", "column"])).toBe("column");
    expect(nearestName("cat", ["bat", "rat"])).toBe("bat");
  });

  it("becomes a question", () => {
    expect(didYouMean("wher", ["where"])).toBe('did you mean "where"?');
    expect(didYouMean("zzz", ["where"])).toBeUndefined();
  });
});
