import { buffer } from "node:stream/consumers";
import { crc32, gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { appendPart, OrderedTexts, type TextPart, UnsortedTexts } from "../../../runtime/execute/unsorted-texts.ts";
import { joinedCrc32, LongText } from "../../../runtime/values/long-text.ts";
import { longTextOf } from "../../support/long-text.ts";

const pieces = Array.from({ length: 20 }, (_, i) => `${i} äöü ${"x".repeat(10_000)}`);

it("A long text returns the same text in every form of reading and holds less memory than its size", async () => {
  const text = (await longTextOf(...pieces)).within("<", ">");
  const expected = `<${pieces.join("")}>`;
  expect(text.size).toBe(Buffer.byteLength(expected));
  expect(text.held).toBeLessThan(text.size / 20);
  expect(await text.text()).toBe(expected);
  const readers = await Promise.all([buffer(text.pieces()), buffer(text.pieces())]);
  for (const read of readers) expect(read.toString()).toBe(expected);
});

it("A long text compresses to one gzip stream, with any enclosing text", async () => {
  const text = await longTextOf(...pieces);
  for (const [before, after] of [
    ["", ""],
    ["{", ""],
    ["", "}"],
    ['{"ä":', "}}"],
  ] as const) {
    const expected = before + pieces.join("") + after;
    expect(gunzipSync(await text.within(before, after).gzip()).toString()).toBe(expected);
  }
  expect(gunzipSync(await (await longTextOf()).gzip()).length).toBe(0);
});

it("joinedCrc32 returns the checksum of two concatenated texts", () => {
  for (const [first, second] of [
    ["", ""],
    ["a", ""],
    ["", "b"],
    ["abc", "defgh".repeat(12_345)],
  ] as const) {
    const joined = joinedCrc32(crc32(first), crc32(second), second.length);
    expect(joined).toBe(crc32(first + second));
  }
});

it.each([
  ["as bytes", undefined],
  ["compressed", 0],
  ["compressed if there are many", 3],
])("A long text can be assembled from waiting texts in any order: %s", async (_, mostChunksAsBytes) => {
  const waiting = new UnsortedTexts(mostChunksAsBytes);
  const texts = Array.from({ length: 500 }, (_, i) => `${i}é`.repeat(i * 10)).concat("€".repeat(700_000));
  const parts = texts.map((text) => waiting.add(text));
  const ordered = new OrderedTexts();
  ordered.addText("[");
  for (const part of parts.toReversed()) ordered.add(part);
  const expected = `[${texts.toReversed().join("")}`;
  expect(ordered.size).toBe(Buffer.byteLength(expected));
  expect(await (await LongText.of(ordered.blocks())).text()).toBe(expected);
  const joined: TextPart[] = [];
  for (const part of parts) appendPart(joined, part);
  expect(joined.length).toBeLessThan(50);
  const inOrder = new OrderedTexts();
  for (const part of joined) inOrder.add(part);
  expect(await (await LongText.of(inOrder.blocks())).text()).toBe(texts.join(""));
});
