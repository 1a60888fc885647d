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

/** Part of the standard since 2025, and `context` above with them. */
const { rawJSON, isRawJSON } = JSON as {
  readonly rawJSON?: (text: string) => unknown;
  readonly isRawJSON?: (value: unknown) => boolean;
};

/** Whether it is a number that `parseRaw` keeps as it was written: an object that is none of JSON. */
export const isRawNumber = (value: unknown): boolean => isRawJSON?.(value) ?? false;

const keepRaw = (_key: string, value: unknown, context?: WithSource): unknown => {
  const lost = rawJSON && lostNumber(value, context);
  return rawJSON && lost !== undefined ? rawJSON(lost) : value;
};

/**
 * Such numbers become values that `JSON.stringify` writes as they were: for JSON that goes back to the server.
 * @throws SyntaxError
 * @throws LostNumber where the browser cannot keep one
 */
export function parseRaw(text: string): unknown {
  const value: unknown = JSON.parse(text, keepRaw);
  if (!rawJSON) for (const [token] of text.matchAll(tokens)) if (!token.startsWith('"')) refuseLost(token);
  return value;
}

/** Strings and numbers of JSON. */
const tokens = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/** A number that this browser would change. */
export class LostNumber extends Error {
  constructor(text: string) {
    super(
      `This browser cannot keep the number ${text.slice(0, 50)}. Use Chrome 114, Firefox 135, Safari 18.4 or newer.`,
    );
  }
}

/** A double holds 15 digits in any case. */
function refuseLost(text: string): void {
  const [mantissa = ""] = text.split(/e/i);
  const digits = mantissa.replace(/\D/g, "").replace(/^0+/, "");
  const isLost = digits.length > 15 || !Number.isFinite(Number(text)) || (Number(text) === 0 && /[1-9]/.test(mantissa));
  if (isLost) throw new LostNumber(text);
}

/** Signs that turn the text around them: as escapes they say the same and turn nothing. */
const turning = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/** JSON on several lines, for people. */
export const jsonText = (value: unknown): string =>
  (JSON.stringify(value, null, 2) ?? "null").replace(
    turning,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
