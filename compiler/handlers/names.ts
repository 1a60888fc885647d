/** Names of types, functions and files of handlers. */
import { fileName } from "../4-emit/file-names.ts";
import { identifier } from "../4-emit/identifiers.ts";

/** Names that the generated module declares itself, and global names of JavaScript. */
export const takenNames: readonly string[] = [
  "z float numberOrText ownMembers handlers SessionVariables TraceContext DeliveryInfo HandlerContext HandlerErrorOptions " +
    "HandlerError RouterOptions Router Handler Call Answer answer report parsed notSigned signersOf checkSigner handlerFor isNamed decoded isRecord " +
    "isTable failure json define NodeRequest NodeResponse defaultMaximumBytes createRouter headersOf chunksOf kept " +
    "bytesOf bytesOfRead SignedCall SignatureOptions isSigned signatureOf keyOf isSameText",
  "any bigint boolean never null number object string symbol undefined unknown void",
  "Array AsyncGenerator AsyncIterable Boolean Date Error Headers Infinity JSON Map Math NaN Number Object Omit Promise",
  "ReadableStream Readonly ReadonlyMap Record Request Response Set String Symbol TextDecoder TextEncoder TypeError URL",
  "Uint8Array atob btoa console crypto decodeURIComponent fetch globalThis",
].flatMap((names) => names.split(" "));

/** Unique names within one module. */
export class ModuleNames {
  readonly #taken = new Set(takenNames);

  take(name: string): string {
    const base = identifier(name);
    let free = base;
    for (let number = 2; this.#taken.has(free); number++) free = `${base}_${number}`;
    this.#taken.add(free);
    return free;
  }
}

const wordsOf = (name: string): readonly string[] => name.split(/[^\p{L}\p{N}$]+/u).filter((word) => word !== "");

const capital = (word: string): string => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;

/** Converts `place_order` to `PlaceOrder`. */
export const pascalCase = (name: string): string => wordsOf(name).map(capital).join("");

/** Converts `place_order` to `placeOrder`. */
export function functionName(name: string): string {
  const pascal = pascalCase(name);
  return identifier(`${pascal.slice(0, 1).toLowerCase()}${pascal.slice(1)}`);
}

/**
 * Returns the file name of a handler, readable unless it would clash with another name on a case-insensitive file
 * system.
 */
export function handlerFile(name: string, all: readonly string[]): string {
  const readable = readableName(name);
  const lower = readable.toLowerCase();
  const isUnique = all.every((other) => other === name || readableName(other).toLowerCase() !== lower);
  const isPlain = /^[A-Za-z0-9_][A-Za-z0-9_-]{0,100}$/.test(readable) && fileName([lower]) === lower;
  return isPlain && isUnique ? `${readable}.ts` : fileName([name], { extension: ".ts" });
}

const readableName = (name: string): string => name.replace(/[^A-Za-z0-9_]+/g, "-");
