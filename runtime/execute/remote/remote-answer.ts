/** What a remote server answered, as text: the values of the fields, and its errors (`docs/remote-schemas.md`). */
import type { Interruptible } from "../../values/interruptible.ts";
import { JsonScanner } from "./json-scanner.ts";
import { NotJson } from "./json-tokens.ts";

export interface RemoteAnswer {
  /** The values of `data` by key, as JSON text; `null`: there is no data. */
  readonly data: ReadonlyMap<string, string> | null;
  /** A list that is not empty, or whatever stands in its place, as JSON text; absent: there are none. */
  readonly errors?: string;
}

const openBrace = 123;

/** @throws NotJson */
export function* readAnswer(text: string): Interruptible<RemoteAnswer> {
  const scanner = new JsonScanner(text);
  if (scanner.next() !== openBrace) throw new NotJson("expected an object");
  let data: ReadonlyMap<string, string> | null = null;
  let errors = "null";
  for (let key = scanner.firstKey(); key !== undefined; key = scanner.nextKey()) {
    if (key === "data" && scanner.next() === openBrace) {
      data = yield* readFields(text, scanner);
    } else {
      const { from, to } = yield* scanner.value();
      if (key === "errors") errors = text.slice(from, to);
    }
  }
  scanner.end();
  return errors === "null" || /^\[\s*\]$/.test(errors) ? { data } : { data, errors };
}

function* readFields(text: string, scanner: JsonScanner): Interruptible<ReadonlyMap<string, string>> {
  const fields = new Map<string, string>();
  for (let key = scanner.firstKey(); key !== undefined; key = scanner.nextKey()) {
    const { from, to } = yield* scanner.value();
    fields.set(key, text.slice(from, to));
  }
  return fields;
}
