/**
 * Locations of ids and cursors in a field's JSON that must be encrypted for the role. They are found by the selection
 * rather than by their form, so a column value cannot be mistaken for one.
 */
import {
  eachItem,
  eachMember,
  endOfValue,
  openBrace,
  openBracket,
  quote,
  skipBlanks,
} from "../../values/json/positions.ts";
import { sealedContents } from "../relay/node-id.ts";
import type { Encrypt, RelayTexts } from "../relay/relay-texts.ts";
import type { SelectedField } from "./request/selected-field.ts";

/** A function that encrypts a text, or locations by key in an object or in each object of a list. */
export type ProtectedPlaces = Encrypt | ReadonlyMap<string, ProtectedPlaces>;

/**
 * Returns the locations in the selected fields, if any.
 * @param cursors of the connection that has the fields
 * @throws EngineError `not-supported` without an encryption key
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

/** Encrypts the texts at these locations in JSON that a database built. */
export function encryptPlaces(json: string, places: ProtectedPlaces): string {
  const rewriter = new Rewriter(json);
  rewriter.value(skipBlanks(json, 0), places);
  return rewriter.output();
}

/** Rewrites valid JSON in one pass; values without locations are copied unchanged. */
class Rewriter {
  readonly #json: string;
  /** End of the text that has been copied to the output. */
  #copied = 0;
  #output = "";

  constructor(json: string) {
    this.#json = json;
  }

  output(): string {
    return this.#output + this.#json.slice(this.#copied);
  }

  /**
   * Rewrites the value that starts at `from`.
   * @returns the position after the value
   */
  value(from: number, places: ProtectedPlaces | undefined): number {
    const json = this.#json;
    const code = json.charCodeAt(from);
    if (places === undefined) return endOfValue(json, from);
    if (typeof places === "function") {
      const end = endOfValue(json, from);
      if (code === quote) this.#encrypt(from + 1, end - 1, places);
      return end;
    }
    if (code === openBracket) return eachItem(json, from, (at) => this.value(at, places));
    if (code !== openBrace) return endOfValue(json, from);
    // GraphQL names contain no escaped characters.
    return eachMember(json, from, (key, at) => this.value(at, places.get(key.slice(1, -1))));
  }

  #encrypt(from: number, to: number, encrypt: Encrypt): void {
    // A page without rows has empty cursors.
    if (from === to) return;
    this.#output += this.#json.slice(this.#copied, from);
    this.#output += encrypt(Buffer.from(this.#json.slice(from, to), "base64").toString());
    this.#copied = to;
  }
}
