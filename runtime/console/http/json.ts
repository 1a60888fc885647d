/** Reads JSON without loss: numbers that JavaScript would round are kept as the text that the database sent. */

interface WithSource {
  readonly source?: string;
}

const keepExact = (_key: string, value: unknown, context?: WithSource): unknown => {
  const source = context?.source;
  if (typeof value !== "number" || source === undefined) return value;
  return String(value) === source ? value : source;
};

/** @throws SyntaxError */
export const parseExact = (text: string): unknown => JSON.parse(text, keepExact);
