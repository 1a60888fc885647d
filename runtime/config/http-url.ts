/** Addresses of other services that the engine calls: text → URL that shows without its query string. */
import { inspect } from "node:util";
import { redacted } from "./secret.ts";
import type { Parsed, ValueType } from "./value-types.ts";

/** The query string of such an address is where keys stand that the called service asks for. */
export class HttpUrl {
  readonly #url: URL;

  constructor(url: URL) {
    this.#url = url;
  }

  /** The whole address, for the call only. */
  reveal(): string {
    return this.#url.href;
  }

  toString(): string {
    const { origin, pathname, search } = this.#url;
    return `${origin}${pathname}${search === "" ? "" : `?${redacted}`}`;
  }

  toJSON(): string {
    return this.toString();
  }

  [inspect.custom](): string {
    return this.toString();
  }
}

/** Problems do not quote the text. */
export function parseHttpUrl(text: string): Parsed<HttpUrl> {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    return { problem: "expecting a URL that begins with http:// or https://" };
  }
  if (url.username !== "" || url.password !== "")
    return { problem: "a URL with a user name or password is not supported" };
  url.hash = "";
  return { value: new HttpUrl(url) };
}

export const httpUrl: ValueType<HttpUrl> = { placeholder: "url", parse: parseHttpUrl, print: String };
