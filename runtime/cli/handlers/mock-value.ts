/** JSON types → made-up values of them. The same seed gives the same value. */
import { createHash } from "node:crypto";
import type { JsonType, TextFormat } from "../../../compiler/dialects/json-type.ts";
import type { DeclaredType } from "../../../compiler/handlers/handlers.ts";
import { EngineError } from "../../values/errors.ts";

/** Deeper than this, what may be null is null, and lists are empty. */
const generousDepth = 3;
/** A type that cannot end has no value. */
const greatestDepth = 30;

/** @throws EngineError for a type that has no value: an enum without values, an object that always holds another */
export function mockValue(type: JsonType, types: ReadonlyMap<string, DeclaredType>, seed: string): unknown {
  const random = randomNumbers(seed);
  const below = (count: number): number => random() % count;

  const made = (each: JsonType, depth: number): unknown => {
    if (depth > greatestDepth) throw noValue("a type that never ends");
    const isDeep = depth >= generousDepth;
    switch (each.kind) {
      case "string":
        return each.format === undefined ? word() : textOf(each.format);
      case "number":
        return each.integer ? below(1000) + 1 : (below(100_000) + 1) / 100;
      case "float":
        return (below(100_000) + 1) / 100;
      case "number_or_text":
        return below(1000) + 1;
      case "boolean":
        return below(2) === 0;
      case "null":
        return null;
      case "unknown":
        return word();
      case "literal":
        return each.value;
      case "enum":
        if (each.values.length === 0) throw noValue("an enum without values");
        return each.values[below(each.values.length)];
      case "named":
        return made(types.get(each.name)?.type ?? { kind: "unknown" }, depth);
      case "list":
        return isDeep ? [] : Array.from({ length: below(3) + 1 }, () => made(each.item, depth + 1));
      case "nullable":
        return isDeep || below(8) === 0 ? null : made(each.of, depth);
      case "union":
        return made(each.of[below(each.of.length)] ?? { kind: "null" }, depth);
      case "object":
        return Object.fromEntries(each.members.map(({ name, type: own }) => [name, made(own, depth + 1)]));
      case "record":
        return { [word()]: made(each.value, depth + 1) };
    }
  };

  const word = (): string => words[below(words.length)] ?? "";
  const two = (number: number): string => String(number).padStart(2, "0");
  const date = (): string => `${2020 + below(10)}-${two(below(12) + 1)}-${two(below(28) + 1)}`;
  const time = (): string => `${two(below(24))}:${two(below(60))}:${two(below(60))}`;
  const hex = (length: number): string => Array.from({ length }, () => below(16).toString(16)).join("");

  const textOf = (format: TextFormat): string => {
    switch (format) {
      case "uuid":
        return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
      case "date":
        return date();
      case "time":
        return time();
      case "timestamp":
        return `${date()}T${time()}`;
      case "timestamptz":
        return `${date()}T${time()}+00:00`;
      case "digits":
        return String(below(1000) + 1);
      case "decimal":
        return `${below(1000)}.${two(below(100))}`;
      case "base64":
        return Buffer.from(word()).toString("base64");
    }
  };

  return made(type, 0);
}

const noValue = (what: string): EngineError => new EngineError("not-supported", "$", `there is no value of ${what}`);

const words = ["amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heron", "indigo", "juniper"];

/** 32 bits at a time, from hashes of the seed and a counter. */
function randomNumbers(seed: string): () => number {
  let block = Buffer.alloc(0);
  let at = 0;
  let counter = 0;
  return () => {
    if (at + 4 > block.length) {
      block = createHash("sha256").update(`${counter++}:${seed}`).digest();
      at = 0;
    }
    const number = block.readUInt32BE(at);
    at += 4;
    return number;
  };
}
