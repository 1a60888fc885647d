/** How the text of an option or variable becomes a value (`operations.md` 4). Input: text; output: value or problem. */
import { availableParallelism } from "node:os";
import { type OutboundRules, parseOutboundRules } from "../values/outbound-rules.ts";
import { Secret } from "./secret.ts";

export type Parsed<T> = { readonly value: T } | { readonly problem: string };

export interface ValueType<T> {
  /** What `--help` shows in the flag's place of a value, for example `seconds`. */
  readonly placeholder: string;
  /** The flag may stand without a value, which means true. */
  readonly isSwitch?: boolean;
  /** @param alias of `--header-alias`, for what names session variables */
  parse(text: string, alias?: string | null): Parsed<T>;
  /** A value as the user would write it; `null` when it must not or cannot be shown. */
  print(value: T): string | null;
}

const trueTexts: ReadonlySet<string> = new Set(["true", "t", "yes", "y"]);
const falseTexts: ReadonlySet<string> = new Set(["false", "f", "no", "n"]);

/** Begins with a blank, as in all messages that carry it. */
export const notABoolean =
  ' Not a valid boolean text. True values are ["true","t","yes","y"] and  False values are ["false","f","no","n"].' +
  " All values are case insensitive";

export function parseBooleanText(text: string): boolean | undefined {
  const lower = text.toLowerCase();
  if (trueTexts.has(lower)) return true;
  return falseTexts.has(lower) ? false : undefined;
}

export const boolean: ValueType<boolean> = {
  placeholder: "boolean",
  isSwitch: true,
  parse(text) {
    const value = parseBooleanText(text);
    return value === undefined ? { problem: notABoolean } : { value };
  },
  print: String,
};

/** A boolean that says the opposite. */
export function negated(type: ValueType<boolean>): ValueType<boolean> {
  return {
    ...type,
    parse(text) {
      const parsed = type.parse(text);
      return "value" in parsed ? { value: !parsed.value } : parsed;
    },
    print: (value) => type.print(!value),
  };
}

/** A whole number from 0 up to `maximum`. */
function wholeNumber(placeholder: string, maximum: number): ValueType<number> {
  return {
    placeholder,
    parse(text) {
      if (!/^[+-]?\d+$/.test(text.trim())) return { problem: "not a valid integer" };
      const value = Number(text);
      if (value < 0) return { problem: "Only expecting a non negative integer" };
      return value > maximum ? { problem: `expecting an integer of at most ${maximum}` } : { value };
    },
    print: String,
  };
}

export const count = wholeNumber("count", 2 ** 31 - 1);
/** Kept below what a timer takes: 2^31 ms. */
export const seconds = wholeNumber("seconds", 2_147_483);
export const positiveSeconds = atLeastOne(seconds);
export const milliseconds = wholeNumber("milliseconds", 2 ** 31 - 1);
export const port = wholeNumber("port", 65_535);

function atLeastOne(type: ValueType<number>): ValueType<number> {
  return {
    ...type,
    parse(text) {
      const parsed = type.parse(text);
      return "value" in parsed && parsed.value === 0 ? { problem: "Only expecting a positive integer" } : parsed;
    },
  };
}

/** A share, from 0 to 1. */
export const ratio: ValueType<number> = {
  placeholder: "ratio",
  parse(text) {
    const value = Number(text);
    const isRatio = text.trim() !== "" && value >= 0 && value <= 1;
    return isRatio ? { value } : { problem: "expecting a number from 0 to 1" };
  },
  print: String,
};

export const positiveCount = atLeastOne(count);

/** More processes than any machine has cores are a slip. */
const mostWorkers = 256;
const workerCount = atLeastOne(wholeNumber("count", mostWorkers));

/** How many processes serve; `auto`: one for each core that this one may use. */
export const workers: ValueType<number> = {
  ...workerCount,
  placeholder: "count|auto",
  parse(value) {
    if (value.trim().toLowerCase() === "auto") return { value: Math.min(availableParallelism(), mostWorkers) };
    return /^[+-]?\d+$/.test(value.trim()) ? workerCount.parse(value) : { problem: "expecting a number, or auto" };
  },
};
export const bytesOrNone = wholeNumber("bytes", 2 ** 31 - 1);
export const bytes = atLeastOne(bytesOrNone);
/** What a JavaScript string can hold. */
export const longestText = 2 ** 29 - 25;
/** Of something that becomes one string. */
export const textBytes = atLeastOne(wholeNumber("bytes", longestText));

export function text(placeholder: string): ValueType<string> {
  return { placeholder, parse: (value) => ({ value }), print: (value) => value };
}

export function nonEmptyText(placeholder: string): ValueType<string> {
  return {
    ...text(placeholder),
    parse: (value) => (value === "" ? { problem: "empty string not allowed" } : { value }),
  };
}

export function secret(placeholder: string): ValueType<Secret> {
  return { placeholder, parse: (value) => ({ value: new Secret(value) }), print: () => null };
}

/** An empty one is refused: a variable that failed to expand must not open what it protects. */
export function nonEmptySecret(placeholder: string): ValueType<Secret> {
  return {
    ...secret(placeholder),
    parse: (value) => (value.trim() === "" ? { problem: "empty string not allowed" } : { value: new Secret(value) }),
  };
}

/** A key that somebody generated: what is shorter can be found by trying. */
export function encryptionKey(placeholder: string): ValueType<Secret> {
  return {
    ...secret(placeholder),
    parse: (value) =>
      value.length < 32
        ? { problem: "expecting at least 32 characters, such as `openssl rand -base64 32` prints" }
        : { value: new Secret(value) },
  };
}

/**
 * A database address, which may hold a password. An empty one is refused rather than taken as absent: a variable that
 * failed to expand must not make the server start on another database.
 */
export const databaseUrl: ValueType<Secret> = {
  ...secret("url"),
  parse(value) {
    if (value.trim() === "") return { problem: "empty string not allowed" };
    // The text is not repeated: a slip can make a password of any part of it.
    if (!/^(?:postgres(?:ql)?:\/\/|[a-z_]+\s*=)/i.test(value.trim())) {
      return { problem: "expected the URL of a PostgreSQL database, such as postgres://user:password@host:5432/name" };
    }
    return { value: new Secret(value) };
  },
};

/** Not repeated in messages either: it may hold a password. */
export const redisUrl: ValueType<Secret> = {
  ...secret("url"),
  parse(value) {
    const isRedis = /^rediss?:\/\/./i.test(value.trim()) && URL.canParse(value.trim());
    if (!isRedis) return { problem: "expected the URL of a Redis server, such as redis://user:password@host:6379/0" };
    return { value: new Secret(value.trim()) };
  },
};

/** A JSON array of non-empty texts. */
export const secretList: ValueType<readonly Secret[]> = {
  placeholder: "json",
  parse(value) {
    const problem = { problem: "expecting a JSON array of non-empty strings" };
    try {
      const json: unknown = JSON.parse(value);
      if (!Array.isArray(json) || !json.every((item) => typeof item === "string" && item !== "")) return problem;
      return { value: json.map((item: string) => new Secret(item)) };
    } catch {
      // The parser's text would quote the secrets.
      return problem;
    }
  },
  print: () => null,
};

/** One of a few words, whatever their case. */
export function oneOf<const T extends string>(placeholder: string, words: readonly T[]): ValueType<T> {
  return {
    placeholder,
    parse(value) {
      const word = find(words, value);
      return word === undefined
        ? { problem: `unexpected value "${value}"; expecting one of ${listed(words)}` }
        : { value: word };
    },
    print: (value) => value,
  };
}

/** A comma-separated list of words, whatever their case; an empty text is the empty list. */
export function listOf<const T extends string>(placeholder: string, words: readonly T[]): ValueType<ReadonlySet<T>> {
  return {
    placeholder,
    parse(value) {
      const found = new Set<T>();
      for (const item of value.trim() === "" ? [] : value.split(",")) {
        const word = find(words, item.trim());
        if (word === undefined) {
          return { problem: `unexpected value "${item.trim()}"; expecting a comma separated list of ${listed(words)}` };
        }
        found.add(word);
      }
      return { value: found };
    },
    print: (value) => [...value].join(","),
  };
}

/** A comma-separated list of names, which are as they are written. */
export function names(placeholder: string): ValueType<ReadonlySet<string>> {
  return {
    placeholder,
    parse(value) {
      const found = value.split(",").map((name) => name.trim());
      return { value: new Set(found.filter((name) => name !== "")) };
    },
    print: (value) => [...value].join(","),
  };
}

function find<T extends string>(words: readonly T[], value: string): T | undefined {
  const lower = value.toLowerCase();
  return words.find((word) => word === lower);
}

const listed = (words: readonly string[]): string => words.join(", ");

/** Hosts and networks that may be called. */
export const outboundRules: ValueType<OutboundRules> = {
  placeholder: "hosts,networks",
  parse(text) {
    const value = parseOutboundRules(text);
    return value === undefined ? { problem: "expecting hosts and networks, comma separated" } : { value };
  },
  print: () => null,
};
