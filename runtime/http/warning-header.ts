/** Lines as the values of the header `Warning` (RFC 7234, section 5.5), which may also go before a success. */
import type { PlainResponse } from "../ports/request.ts";

/** What clients and proxies take as a header without complaint. */
const mostLines = 20;
const longestLine = 300;

/** Code 299: lasting, and none of the other codes. */
export function withWarnings(response: PlainResponse, lines: readonly string[]): PlainResponse {
  if (lines.length === 0) return response;
  const shown = lines.slice(0, mostLines).map(shortened);
  const more = lines.length - shown.length;
  const all = more > 0 ? [...shown, `and ${more} more, which are in the log of the server's start`] : shown;
  return { ...response, headers: { ...response.headers, warning: all.map((line) => `299 engine "${quoted(line)}"`) } };
}

function shortened(line: string): string {
  return line.length > longestLine ? `${line.slice(0, longestLine)}…` : line;
}

/** Headers are ASCII in one line; what is not is written as JSON writes it. */
function quoted(line: string): string {
  return line
    .replace(/["\\]/g, "\\$&")
    .replace(/[^\x20-\x7e]/g, (letter) => `\\\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
