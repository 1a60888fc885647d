/** Reads a JSON file of metadata with source locations, so that errors have line and column. */
import type { Json } from "../../../compiler/catalog/model.ts";
import {
  fileError,
  jsonOfNumber,
  type Located,
  type Locations,
  type Place,
  type SourceText,
} from "../../metadata-text/locations.ts";
import { badString, JsonPass, NotJson } from "../../values/json/scanner.ts";

/** Maximum depth of a document. Deeper documents could overflow the stack. */
const maxDepth = 1000;

const words = new Map<string, Json>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/** @throws EngineError with file, line and column */
export function parseJsonFile(source: SourceText, locations: Locations): Located {
  try {
    return new JsonFileReader(source, locations).document();
  } catch (error) {
    throw error instanceof NotJson ? fileError({ source, offset: error.at }, error.fault) : error;
  }
}

/** @param text `true`, `false`, `null` or a number */
const flatOf = (text: string): Json => (words.has(text) ? (words.get(text) ?? null) : jsonOfNumber(text));

/** An unclosed list or object. */
interface Open {
  readonly place: Place;
  readonly isList: boolean;
  /** By key, or by index for lists. */
  readonly members: Map<string, Located>;
  /** Key of the next member. */
  key: string;
}

class JsonFileReader extends JsonPass {
  readonly #source: SourceText;
  readonly #locations: Locations;
  readonly #containers: Open[] = [];
  #document: Located | undefined;

  constructor(source: SourceText, locations: Locations) {
    super(source.text, maxDepth);
    this.#source = source;
    this.#locations = locations;
    if (source.text.startsWith("\uFEFF")) this.at = 1;
  }

  document(): Located {
    while (!this.turn());
    this.end();
    return this.#document ?? this.fail("a value");
  }

  protected override whole(): number {
    return -1;
  }

  protected override opened(isList: boolean): void {
    this.#containers.push({ place: this.#place(this.at), isList, members: new Map(), key: "" });
  }

  protected override closed(): void {
    const open = this.#containers.pop();
    if (open === undefined) return;
    const { place, isList, members } = open;
    const value = isList
      ? this.#locations.list([...members.values()], place)
      : this.#locations.object([...members], place);
    this.#put({ value, place });
  }

  protected override key(from: number, to: number): void {
    const open = this.#containers.at(-1);
    if (open) open.key = this.#string(from, to);
  }

  protected override scalar(from: number, to: number): void {
    const text = this.text.slice(from, to);
    const value = text.startsWith('"') ? this.#string(from, to) : flatOf(text);
    this.#put({ value, place: this.#place(from) });
  }

  #string(from: number, to: number): string {
    try {
      return String(JSON.parse(this.text.slice(from, to)));
    } catch {
      throw badString(from);
    }
  }

  #put(found: Located): void {
    const open = this.#containers.at(-1);
    if (open === undefined) this.#document = found;
    else open.members.set(open.isList ? String(open.members.size) : open.key, found);
  }

  #place(offset: number): Place {
    return { source: this.#source, offset };
  }
}
