/** Messages of a server that speaks `graphql-transport-ws`: what they carry stays text, as it came. */
import type { Interruptible } from "../../values/interruptible.ts";
import { JsonScanner } from "./json-scanner.ts";

export interface StreamMessage {
  readonly type: string;
  /** JSON text; absent: it carries nothing. */
  readonly payload?: string;
}

const quote = 34;

/** @throws NotJson */
export function* readStreamMessage(text: string): Interruptible<StreamMessage> {
  const scanner = new JsonScanner(text);
  let type = "";
  let payload: string | undefined;
  for (let key = scanner.firstKey(); key !== undefined; key = scanner.nextKey()) {
    const isText = scanner.next() === quote;
    const { from, to } = yield* scanner.value();
    if (key === "payload") payload = text.slice(from, to);
    if (key === "type" && isText) type = String(JSON.parse(text.slice(from, to)));
  }
  scanner.end();
  return { type, ...(payload !== undefined && { payload }) };
}
