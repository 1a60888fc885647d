import { describe, expect, it } from "vitest";
import { ReleasableBytes } from "../../../runtime/values/releasable-bytes.ts";
import { collectGarbage } from "../../support/collect-garbage.ts";

describe("Releasable bytes", () => {
  it.each([100, 1024 * 1024])(
    "ReleasableBytes hold the same bytes for texts and buffers of %i characters",
    (length) => {
      const text = "aé😀".repeat(length / 4);
      const bytes = Buffer.from(text);
      expect(ReleasableBytes.from(text, bytes.length).bytes.equals(bytes)).toBe(true);
      expect(ReleasableBytes.from(bytes, bytes.length).bytes.equals(bytes)).toBe(true);
    },
  );

  it("Released bytes return their memory to the system without garbage collection", () => {
    const size = 8 * 1024 * 1024;
    collectGarbage(); // Otherwise a concurrent collection of garbage from other tests may count as released bytes.
    const held = Array.from({ length: 16 }, () => ReleasableBytes.allocate(size));
    for (const { bytes } of held) bytes.fill(1);
    const filled = process.memoryUsage.rss();
    for (const each of held) each.release();
    expect(filled - process.memoryUsage.rss()).toBeGreaterThan(12 * size);
    expect(held.map(({ bytes }) => bytes.length)).toEqual(held.map(() => 0));
  });
});
