import { buffer } from "node:stream/consumers";
import { crc32, gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { joinedCrc32 } from "../../../runtime/values/crc32.ts";
import { LongText } from "../../../runtime/values/long-text.ts";
import { appendPart, OrderedTexts, type TextPart, WaitingTexts } from "../../../runtime/values/waiting-texts.ts";
import { longTextOf } from "../../support/long-text.ts";

const pieces = Array.from({ length: 20 }, (_, i) => `${i} äöü ${"x".repeat(10_000)}`);

it("reads the same before it is compressed, meanwhile and after it", async () => {
  const text = longTextOf(...pieces).within("<", ">");
  const expected = `<${pieces.join("")}>`;
  expect(text.size).toBe(Buffer.byteLength(expected));
  expect(await text.text()).toBe(expected);
  const [, meanwhile] = await Promise.all([text.compress(), text.text()]);
  expect(meanwhile).toBe(expected);
  expect(await text.text()).toBe(expected);
  expect((await buffer(text.pieces())).toString()).toBe(expected);
});

it("is one gzip stream, whatever stands around it", async () => {
  const text = longTextOf(...pieces);
  for (const [before, after] of [
    ["", ""],
    ["{", ""],
    ["", "}"],
    ['{"ä":', "}}"],
  ] as const) {
    const expected = before + pieces.join("") + after;
    expect(gunzipSync(await text.within(before, after).gzip()).toString()).toBe(expected);
  }
  expect(gunzipSync(await longTextOf().gzip()).length).toBe(0);
});

it("is made for nobody any more once it is compressed", async () => {
  let made = 0;
  const bytes = () => {
    made++;
    return Buffer.from(pieces.join(""));
  };
  const text = LongText.of([{ size: Buffer.byteLength(pieces.join("")), bytes }]);
  const [kept, again] = await Promise.all([text.compress(), text.within("{", "}").compress()]);
  expect(made).toBe(1);
  expect(kept).toBe(again);
  expect(kept).toBeLessThan(text.size / 20);
  expect(await text.text()).toBe(pieces.join(""));
  expect(made).toBe(1);
});

it("knows the checksum of what follows each other", () => {
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

it("is put together of texts that waited, in any order", async () => {
  const waiting = new WaitingTexts();
  const texts = Array.from({ length: 500 }, (_, i) => `${i}é`.repeat(i * 10)).concat("€".repeat(700_000));
  const parts = texts.map((text) => waiting.add(text));
  const ordered = new OrderedTexts();
  ordered.addText("[");
  for (const part of parts.toReversed()) ordered.add(part);
  const reversed = ordered.end();
  expect(await reversed.text()).toBe(`[${texts.toReversed().join("")}`);
  expect(reversed.size).toBe(Buffer.byteLength(await reversed.text()));
  const joined: TextPart[] = [];
  for (const part of parts) appendPart(joined, part);
  expect(joined.length).toBeLessThan(20);
  const inOrder = new OrderedTexts();
  for (const part of joined) inOrder.add(part);
  expect(await inOrder.end().text()).toBe(texts.join(""));
});
