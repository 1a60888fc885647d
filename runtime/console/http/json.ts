/** Lossless JSON: numbers that JavaScript would round keep their digits. */
import { escapeDirectionControls } from "../../values/direction-controls.ts";

interface WithSource {
  readonly source?: string;
}

/** Returns the source text of a number that JavaScript would not write back unchanged. */
const lostNumber = (value: unknown, context: WithSource | undefined): string | undefined => {
  const source = context?.source;
  return typeof value === "number" && source !== undefined && String(value) !== source ? source : undefined;
};

const keepExact = (_key: string, value: unknown, context?: WithSource): unknown => lostNumber(value, context) ?? value;

/** Parses JSON for display: numbers that would change become strings. @throws SyntaxError */
export const parseExact = (text: string): unknown => JSON.parse(text, keepExact);

/** From the ECMAScript proposal "JSON.parse source text access", like the `context` parameter of revivers. */
const { rawJSON, isRawJSON } = JSON as {
  readonly rawJSON?: (text: string) => unknown;
  readonly isRawJSON?: (value: unknown) => boolean;
};

/** True if the browser has raw JSON values, so that `parseRaw` reads every number. */
export const hasRawNumbers = rawJSON !== undefined;

/** Returns the text of a number that `parseRaw` represents by an object, and `undefined` for other values. */
export const rawNumberText = (value: unknown): string | undefined =>
  isRawNumber(value) ? JSON.stringify(value) : undefined;

/** Returns true for the objects with which `parseRaw` represents numbers that would change. */
export const isRawNumber = (value: unknown): boolean => isRawJSON?.(value) ?? false;

const keepRaw = (_key: string, value: unknown, context?: WithSource): unknown => {
  const lost = rawJSON && lostNumber(value, context);
  return rawJSON && lost !== undefined ? rawJSON(lost) : value;
};

/**
 * Parses JSON that goes back to the server: numbers that would change become raw values, which `JSON.stringify` writes
 * unchanged.
 * @throws SyntaxError
 * @throws LostNumber if the browser has no raw JSON values and a number would change
 */
export function parseRaw(text: string): unknown {
  const value: unknown = JSON.parse(text, keepRaw);
  if (!rawJSON) for (const [token] of text.matchAll(tokens)) if (!token.startsWith('"')) refuseLost(token);
  return value;
}

/** JSON strings and numbers. */
const tokens = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

export class LostNumber extends Error {
  constructor(text: string) {
    super(
      `This browser cannot store the number ${text.slice(0, 50)} exactly. Use Chrome 114, Firefox 135, Safari 18.4 or newer.`,
    );
  }
}

/** @throws LostNumber if a number may have more digits than the 15 that every double keeps */
function refuseLost(text: string): void {
  const [mantissa = ""] = text.split(/e/i);
  const digits = mantissa.replace(/\D/g, "").replace(/^0+/, "");
  const isLost = digits.length > 15 || !Number.isFinite(Number(text)) || (Number(text) === 0 && /[1-9]/.test(mantissa));
  if (isLost) throw new LostNumber(text);
}

/** Returns indented JSON for display and editing. Direction controls are shown as escapes. */
export const jsonText = (value: unknown): string => escapeDirectionControls(JSON.stringify(value, null, 2) ?? "null");

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
