import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, it } from "vitest";
import { JoinedBytes } from "../../../runtime/values/joined-bytes.ts";
import { ReleasableBytes } from "../../../runtime/values/releasable-bytes.ts";

const unit = fc.constantFrom("a", "é", "€", "😀");
const text = fc.string({ unit, maxLength: 4 });
const long = fc
  .tuple(unit, fc.integer({ min: 0, max: 300_000 }))
  .map(([each, count]) => Buffer.from(each.repeat(count)));

it("Joined bytes have the bytes of their enclosed pieces in every reading", async () => {
  const pieces = fc.array(fc.oneof(text, long), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(text, text, text, text, pieces, async (outer, inner, behind, last, middle) => {
      const joined = new JoinedBytes(middle).within(inner, behind).within(outer, last);
      const encoded = [outer, inner, ...middle, behind, last].map((piece) => Buffer.from(piece));
      const expected = Buffer.concat(encoded);
      expect(joined.size).toBe(expected.length);
      expect(Buffer.concat(joined.pieces.map((piece) => Buffer.from(piece))).equals(expected)).toBe(true);
      expect(joined.toBuffer().equals(expected)).toBe(true);
      expect(`${joined}`).toBe(expected.toString());
      const twice = JoinedBytes.of([outer, new JoinedBytes(middle), joined]).toBuffer();
      const parts = [Buffer.from(outer), ...middle.map((piece) => Buffer.from(piece)), expected];
      expect(twice.equals(Buffer.concat(parts))).toBe(true);
      const slices = [...joined.slices(1000)];
      expect(slices.every(({ length }) => length > 0 && length <= 1000)).toBe(true);
      expect(Buffer.concat(slices).equals(expected)).toBe(true);
      expect(gunzipSync(await joined.gzip()).equals(expected)).toBe(true);
    }),
    { numRuns: 30 },
  );
});

it("Released bytes free the memory of their values, however often they were enclosed", () => {
  const memory = ReleasableBytes.allocate(2 * 1024 * 1024);
  const joined = new JoinedBytes(["[", memory.bytes, "]"], [memory]).within('{"a":', "}");
  joined.release();
  expect(memory.bytes.length).toBe(0);
});
