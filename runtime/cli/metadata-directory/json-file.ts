/** A JSON parser that remembers places, for metadata in one file: errors and diagnostics name line and column. */

import type { Json } from "../../../compiler/catalog/model.ts";
import { fileError, jsonOfNumber, type Located, type Locations, type SourceText } from "./locations.ts";

/** Deeper documents are refused rather than overflowing the stack. */
const deepest = 1000;

const whitespace = /[ \t\n\r]*/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
const string = /"[^"\\]*(?:\\.[^"\\]*)*"/y;
const word = /true|false|null/y;
const words: Readonly<Record<string, Json>> = { true: true, false: false, null: null };

export function parseJsonFile(source: SourceText, locations: Locations): Located {
  return new Parser(source, locations).document();
}

class Parser {
  readonly #source: SourceText;
  readonly #locations: Locations;
  #offset = 0;
  #depth = 0;

  constructor(source: SourceText, locations: Locations) {
    this.#source = source;
    this.#locations = locations;
    if (source.text.startsWith("\uFEFF")) this.#offset = 1;
  }

  document(): Located {
    const value = this.#value();
    if (this.#peek() !== undefined) this.#fail("expected the end of the document");
    return value;
  }

  #value(): Located {
    const first = this.#peek();
    const place = { source: this.#source, offset: this.#offset };
    if (first === "{" || first === "[") {
      if (++this.#depth > deepest) this.#fail(`nested deeper than ${deepest} levels`);
      const value = first === "{" ? this.#object(place) : this.#list(place);
      this.#depth--;
      return { value, place };
    }
    if (first === '"') return { value: this.#string(), place };
    const text = this.#match(number) ?? this.#match(word);
    if (text === undefined) return this.#fail("expected a value");
    return { value: words[text] === undefined ? jsonOfNumber(text) : words[text], place };
  }

  #object(place: Located["place"]): Json {
    const entries = new Map<string, Located>();
    this.#items("}", () => {
      if (this.#peek() !== '"') this.#fail("expected a key in double quotes");
      const key = this.#string();
      if (this.#peek() !== ":") this.#fail('expected ":"');
      this.#offset++;
      entries.set(key, this.#value());
    });
    return this.#locations.object([...entries], place);
  }

  #list(place: Located["place"]): Json {
    const items: Located[] = [];
    this.#items("]", () => items.push(this.#value()));
    return this.#locations.list(items, place);
  }

  /** Reads what stands between brackets, separated by commas. */
  #items(close: string, readItem: () => void): void {
    this.#offset++;
    if (this.#peek() === close) {
      this.#offset++;
      return;
    }
    for (;;) {
      readItem();
      const next = this.#peek();
      if (next !== "," && next !== close) this.#fail(`expected "," or "${close}"`);
      this.#offset++;
      if (next === close) return;
    }
  }

  #string(): string {
    const quoted = this.#match(string);
    if (quoted === undefined) return this.#fail("unterminated string");
    try {
      return String(JSON.parse(quoted));
    } catch {
      this.#offset -= quoted.length;
      return this.#fail("invalid escape sequence or control character in a string");
    }
  }

  /** The next character that is no white space; `undefined` at the end. */
  #peek(): string | undefined {
    this.#match(whitespace);
    return this.#source.text[this.#offset];
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#offset;
    const found = pattern.exec(this.#source.text)?.[0];
    if (found !== undefined) this.#offset += found.length;
    return found;
  }

  #fail(message: string): never {
    throw fileError({ source: this.#source, offset: this.#offset }, message);
  }
}
