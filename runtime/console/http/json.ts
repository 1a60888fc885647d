/** Reads and writes JSON without loss: numbers that JavaScript would round are kept as they were written. */

interface WithSource {
  readonly source?: string;
}

/** `source`, where the number would not come out as it was written. */
const lostNumber = (value: unknown, context: WithSource | undefined): string | undefined => {
  const source = context?.source;
  return typeof value === "number" && source !== undefined && String(value) !== source ? source : undefined;
};

const keepExact = (_key: string, value: unknown, context?: WithSource): unknown => lostNumber(value, context) ?? value;

/** Such numbers become text, to be shown. @throws SyntaxError */
export const parseExact = (text: string): unknown => JSON.parse(text, keepExact);

/** Part of the standard since 2025; browsers without it round. */
const { rawJSON } = JSON as { readonly rawJSON?: (text: string) => unknown };

const keepRaw = (_key: string, value: unknown, context?: WithSource): unknown => {
  const lost = rawJSON && lostNumber(value, context);
  return rawJSON && lost !== undefined ? rawJSON(lost) : value;
};

/** Such numbers become values that `JSON.stringify` writes as they were: for JSON that is only passed on. @throws SyntaxError */
export const parseRaw = (text: string): unknown => JSON.parse(text, keepRaw);

/** Signs that turn the text around them: as escapes they say the same and turn nothing. */
const turning = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/** JSON on several lines, for people. */
export const jsonText = (value: unknown): string =>
  (JSON.stringify(value, null, 2) ?? "null").replace(
    turning,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
