/**
 * Where the JSON of a field has ids and cursors that the role gets encrypted. They are found by their place, as the
 * selection has it, and not by what they look like: no value of a row can be taken for one.
 */

import { invariant } from "../../values/errors.ts";
import { sealedContents } from "../relay/node-id.ts";
import type { Encrypt, RelayTexts } from "../relay/relay-texts.ts";
import type { SelectedField } from "./request/selected-field.ts";

/** What encrypts a text, or the places by key inside of an object, or of each object of a list. */
export type ProtectedPlaces = Encrypt | ReadonlyMap<string, ProtectedPlaces>;

/**
 * The places of selected fields; `undefined`: there are none.
 * @param cursors of the connection that the fields belong to
 * @throws EngineError `not-supported` where there is no key to encrypt with
 */
export function protectedPlaces(
  selection: readonly SelectedField[],
  cursors?: RelayTexts,
): ProtectedPlaces | undefined {
  let places: Map<string, ProtectedPlaces> | undefined;
  for (const field of selection) {
    const inside = placesOf(field, cursors);
    if (inside === undefined) continue;
    places ??= new Map();
    places.set(field.key, inside);
  }
  return places;
}

function placesOf(field: SelectedField, cursors?: RelayTexts): ProtectedPlaces | undefined {
  const { meta, selection, path } = field;
  switch (meta.kind) {
    case "global_id": {
      const encrypt = meta.texts.encrypter(path);
      return encrypt && ((plain) => encrypt(sealedContents(meta.source, plain)));
    }
    case "cursor":
    case "start_cursor":
    case "end_cursor":
      return cursors?.encrypter(path);
    case "edges":
    case "page_info":
      return protectedPlaces(selection, cursors);
    default:
      return protectedPlaces(selection, field.cursors);
  }
}

const backslash = 92;
const closeBracket = 93;
const closeBrace = 125;

/** JSON text as a database built it, with the texts in these places encrypted. */
export function encryptPlaces(json: string, places: ProtectedPlaces): string {
  return new Rewriter(json).rewrite(places);
}

/** One pass over valid JSON; what has no places inside is copied as it stands. */
class Rewriter {
  readonly #json: string;
  #at = 0;
  /** Up to where the text is in the output. */
  #copied = 0;
  #output = "";

  constructor(json: string) {
    this.#json = json;
  }

  rewrite(places: ProtectedPlaces): string {
    this.#value(places);
    return this.#output + this.#json.slice(this.#copied);
  }

  #value(places: ProtectedPlaces | undefined): void {
    this.#skipBlanks();
    const first = this.#json[this.#at];
    if (places === undefined) this.#skipValue();
    else if (typeof places === "function") {
      if (first === '"') this.#encrypt(places);
      else this.#skipValue();
    } else if (first === "[") this.#list(places);
    else if (first === "{") this.#object(places);
    else this.#skipValue();
  }

  #list(places: ProtectedPlaces): void {
    while (this.#next() !== closeBracket) this.#value(places);
    this.#at++;
  }

  #object(places: ReadonlyMap<string, ProtectedPlaces>): void {
    while (this.#next() !== closeBrace) {
      const start = this.#at + 1;
      this.#skipString();
      // Names of GraphQL have nothing to escape.
      const key = this.#json.slice(start, this.#at - 1);
      this.#next();
      this.#value(places.get(key));
    }
    this.#at++;
  }

  /** Passes the bracket, comma or colon that stands here; from the first one on, the next item or the end. */
  #next(): number {
    this.#skipBlanks();
    const code = this.#json.charCodeAt(this.#at);
    if (code === closeBracket || code === closeBrace) return code;
    this.#at++;
    this.#skipBlanks();
    return this.#json.charCodeAt(this.#at);
  }

  #encrypt(encrypt: Encrypt): void {
    const start = this.#at + 1;
    this.#skipString();
    const plain = this.#json.slice(start, this.#at - 1);
    // A page without rows has empty cursors.
    if (plain === "") return;
    this.#output += this.#json.slice(this.#copied, start) + encrypt(Buffer.from(plain, "base64").toString());
    this.#copied = this.#at - 1;
  }

  #skipBlanks(): void {
    while (this.#json.charCodeAt(this.#at) <= 32) this.#at++;
  }

  #skipString(): void {
    let end = this.#at;
    let escapes: number;
    do {
      end = this.#json.indexOf('"', end + 1);
      invariant(end > 0, "databases build whole JSON texts");
      escapes = 0;
      while (this.#json.charCodeAt(end - 1 - escapes) === backslash) escapes++;
    } while (escapes % 2 === 1);
    this.#at = end + 1;
  }

  /** Any value, up to the comma or bracket that follows it. */
  #skipValue(): void {
    for (let depth = 0; this.#at < this.#json.length; ) {
      const character = this.#json[this.#at];
      if (character === '"') {
        this.#skipString();
        continue;
      }
      if (character === "{" || character === "[") depth++;
      else if (depth === 0 && (character === "," || character === "}" || character === "]")) return;
      else if (character === "}" || character === "]") depth--;
      this.#at++;
    }
  }
}
