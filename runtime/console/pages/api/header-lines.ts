/** Headers of requests as lines of text, such as `X-Engine-User-Id: 1`, and the rules for their names and values. */
import type { HeaderRow } from "./request-state.ts";

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** A header as a line of a request, or as a member of a JSON object. */
const line = /^\s*(["']?)([^"'\s:=]+)\1\s*[:=]\s*(.*?)\s*,?\s*$/;

/** Maximum number of headers that are read from one text. */
const maxRows = 100;

/**
 * Returns the headers in a text with one header per line; `null` if it contains anything else.
 * Names keep their case. A value in quotes loses them.
 */
export function readHeaderLines(text: string): readonly HeaderRow[] | null {
  const lines = text.split(/\r\n?|\n/).filter((each) => !/^[\s{}]*$/.test(each));
  if (lines.length === 0 || lines.length > maxRows) return null;
  const rows: HeaderRow[] = [];
  for (const each of lines) {
    const [, , name = "", value = ""] = line.exec(each) ?? [];
    if (!headerName.test(name)) return null;
    rows.push({ name, value: /^(["']).*\1$/.test(value) ? value.slice(1, -1) : value });
  }
  return rows;
}

export const isEmptyRow = ({ name, value }: HeaderRow): boolean => name.trim() === "" && value === "";

/** Returns the reason that a browser would refuse to send the row; `null` if there is none. */
export function problemOf(row: HeaderRow, others: readonly HeaderRow[]): string | null {
  const name = row.name.trim();
  if (name === "") return isEmptyRow(row) ? null : "Enter a name.";
  if (!headerName.test(name)) return "Use letters, digits and hyphens only.";
  if (others.some((other) => other !== row && other.name.trim().toLowerCase() === name.toLowerCase()))
    return "This name occurs twice.";
  return valueProblemOf(row);
}

function valueProblemOf({ value }: HeaderRow): string | null {
  for (const character of value) {
    const code = character.codePointAt(0) ?? 0;
    if (code > 0xff) return "Browsers send only Latin letters in headers. Use a token for other values.";
    if (code < 0x20 || code === 0x7f) return "Line breaks and control characters cannot be sent.";
  }
  return null;
}
