/** URLs of services that the engine calls. They are printed without their query strings. */
import { inspect } from "node:util";
import { redacted } from "./secret.ts";
import type { Parsed, ValueType } from "./value-types.ts";

/** A URL whose query string may contain an API key of the service. */
export class HttpUrl {
  readonly #url: URL;

  constructor(url: URL) {
    this.#url = url;
  }

  /** Returns the full URL. Use it only for the call itself. */
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

/** Parses a URL. Problems do not quote the text. */
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

export const httpUrl: ValueType<HttpUrl> = { valueName: "url", parse: parseHttpUrl, print: String };
