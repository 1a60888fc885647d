/** What a remote server answered, as text: the values of the fields, and its errors (`automation.md` E.5). */
import type { Interruptible } from "../values/interruptible.ts";
import { JsonScanner, NotJson, type Span } from "./json-scanner.ts";

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
  const textOf = ({ from, to }: Span): string => text.slice(from, to);
  const fields = function* (): Interruptible<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    yield* scanner.members(function* (key) {
      found.set(key, textOf(yield* scanner.value()));
    });
    return found;
  };
  yield* scanner.members(function* (key) {
    if (key === "data" && scanner.next() === openBrace) data = yield* fields();
    else if (key === "errors") errors = textOf(yield* scanner.value());
    else yield* scanner.value();
  });
  scanner.end();
  return { data, ...(!/^(?:null|\[\s*\])$/.test(errors) && { errors }) };
}
