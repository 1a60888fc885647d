import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RelayCipher } from "../../../../runtime/model/relay/cipher.ts";

const cipher = new RelayCipher("one key");

describe("Encrypted Relay texts", () => {
  it("An encrypted text can be opened by its key for its use and is deterministic", () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), (use, value) => {
        const sealed = cipher.seal(use, JSON.stringify(value));
        const opened = new RelayCipher("one key").open(use, sealed);
        expect("text" in opened && opened.text.trimEnd()).toBe(JSON.stringify(value));
        expect(cipher.seal(use, JSON.stringify(value))).toEqual(sealed);
      }),
    );
  });

  it("An encrypted text cannot be opened for another use, even if use and text concatenate to the same", () => {
    expect(cipher.open("b", cipher.seal("a", "[1]"))).toEqual({ problem: "changed" });
    expect(cipher.open("a[", cipher.seal("a", "[1]"))).toEqual({ problem: "changed" });
  });

  it("An encrypted text of another key is distinguished from a changed text", () => {
    expect(new RelayCipher("another key").open("a", cipher.seal("a", "[1]"))).toEqual({ problem: "other key" });
  });

  it("An encrypted text with any changed bit or length is refused", () => {
    const sealed = cipher.seal("a", JSON.stringify([1, "public", "item", 5]));
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(cipher.open("a", changed), `bit ${bit}`).toHaveProperty("problem");
    }
    for (let length = 0; length < sealed.length; length++) {
      expect(cipher.open("a", sealed.subarray(0, length)), `length ${length}`).toHaveProperty("problem");
    }
  });

  it("Encrypted texts of similar lengths have one length, and differ from the start for different values", () => {
    const [short, long, other] = ["[1]", "[1234567890]", "[2]"].map((json) => cipher.seal("a", json));
    expect(long).toHaveLength(short?.length ?? 0);
    expect(other?.subarray(5, 21)).not.toEqual(short?.subarray(5, 21));
    expect(other?.subarray(21)).not.toEqual(short?.subarray(21));
  });
});
