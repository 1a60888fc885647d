/** Pages of lists. A cursor contains the key of the last item of the previous page, so that it survives changes. */
import { invalidParams } from "./mcp-error.ts";
import type { Params } from "./message.ts";

interface Page {
  /** JSON texts of the items, separated by commas. */
  readonly text: string;
  /** JSON text of the further member, with a comma; empty on the last page. */
  readonly next: string;
}

const maxItems = 100;
/** Limit in characters. The first item of a page may exceed it. */
const maxLength = 256 * 1024;
const prefix = "after:";

/**
 * Returns the page that the parameters select.
 * @param items in ascending order of their keys
 * @throws McpError -32602 for a cursor that the server did not create
 */
export function pageOf<T>(
  items: readonly T[],
  { cursor }: Params,
  { key, print }: { readonly key: (item: T) => string; readonly print: (item: T) => string },
): Page {
  const after = cursor === undefined ? undefined : readCursor(cursor);
  const start = after === undefined ? 0 : items.findIndex((item) => key(item) > after);
  let text = "";
  let last: T | undefined;
  let count = 0;
  for (const item of start < 0 ? [] : items.slice(start)) {
    const printed = print(item);
    if (last !== undefined && (count === maxItems || text.length + printed.length > maxLength)) {
      const next = Buffer.from(`${prefix}${key(last)}`).toString("base64url");
      return { text, next: `,"nextCursor":"${next}"` };
    }
    text += text === "" ? printed : `,${printed}`;
    last = item;
    count++;
  }
  return { text, next: "" };
}

function readCursor(cursor: unknown): string {
  const text = typeof cursor === "string" ? Buffer.from(cursor, "base64url").toString("utf8") : "";
  if (text.startsWith(prefix)) return text.slice(prefix.length);
  throw invalidParams('"cursor" is not a cursor of this list; request the first page without it');
}
