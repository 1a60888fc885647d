/** Numbers in all spellings and sizes that JSON allows. */
import fc from "fast-check";

const digits = (maxLength: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${maxLength}}$`));
const whole = fc.oneof(fc.constant("0"), digits(30), digits(400)).map((text) => text.replace(/^0+(?=\d)/, ""));
const fraction = fc
  .oneof(digits(4), digits(30), fc.constantFrom("0", "10", "1000", "0000001"))
  .map((text) => `.${text}`);
const exponent = fc
  .tuple(fc.constantFrom("e", "E"), fc.constantFrom("", "+", "-"), fc.integer({ min: 0, max: 420 }))
  .map((parts) => parts.join(""));

export const numberText: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.constantFrom("9007199254740992", "9007199254740993", "1.10", "-0", "1E5", "0.1000", "1e-7", "1e400"),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom("", "-"), whole, fc.oneof(fc.constant(""), fraction), fc.oneof(fc.constant(""), exponent))
      .map((parts) => parts.join("")),
  },
);
