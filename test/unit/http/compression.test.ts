import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { compress, isCompressed } from "../../../runtime/http/compression.ts";

describe("The decision to compress", () => {
  it.each([
    ["gzip", 700, true],
    ["gzip", 699, false],
    ["deflate, gzip;q=0.5, br", 700, true],
    ["GZIP", 700, true],
    ["*", 700, true],
    ["gzip, identity;q=0", 1, true],
    ["gzip, *;q=0", 1, true],
    ["gzip;q=0", 70_000, false],
    ["gzip;q=0, *", 70_000, false],
    ["identity", 70_000, false],
    ["br, deflate", 70_000, false],
    ["", 70_000, false],
    [undefined, 70_000, false],
    ["gzip;q=abc", 70_000, false],
  ])("isCompressed for Accept-Encoding %j and %i bytes returns %s", (accepted, size, expected) => {
    expect(isCompressed(size, accepted)).toBe(expected);
  });
});

describe("Compression", () => {
  it.each([10, 30_000])("A compressed body of %i letters decompresses to the original", async (length) => {
    const body = "ä".repeat(length);
    expect(gunzipSync(await compress(body, length * 2)).toString("utf8")).toBe(body);
  });
});
