/** Types of options and variables: they parse a text into a value or a problem. */
import { availableParallelism } from "node:os";
import { type OutboundRules, parseOutboundRules } from "../values/outbound-rules.ts";
import { Secret } from "./secret.ts";

export type Parsed<T> = { readonly value: T } | Problem;

interface Problem {
  /** The text that the interface specifies for variables, if any. */
  readonly problem: string;
  /** Text for flags, if it differs. */
  readonly plain?: string;
}

export interface ValueType<T> {
  /** Name of the value in `--help`, such as `seconds`. */
  readonly valueName: string;
  /** True if the flag may be used without a value, which means true. */
  readonly isSwitch?: boolean;
  /** All allowed words, if there are only a few. */
  readonly choices?: readonly string[];
  /** Limits of a number, both included. */
  readonly range?: { readonly minimum: number; readonly maximum: number };
  /**
   * Parses a text.
   * @param alias value of `--header-alias`, for types that contain names of session variables
   */
  parse(text: string, alias?: string | null): Parsed<T>;
  /** Formats a value as the user would write it; `null` if it must not or cannot be shown. */
  print(value: T): string | null;
}

const trueTexts: ReadonlySet<string> = new Set(["true", "t", "yes", "y"]);
const falseTexts: ReadonlySet<string> = new Set(["false", "f", "no", "n"]);

/** Starts with a space, as in all messages that contain it. */
export const notABoolean =
  ' Not a valid boolean text. True values are ["true","t","yes","y"] and  False values are ["false","f","no","n"].' +
  " All values are case insensitive";

export function parseBooleanText(text: string): boolean | undefined {
  const lower = text.toLowerCase();
  if (trueTexts.has(lower)) return true;
  return falseTexts.has(lower) ? false : undefined;
}

export const boolean: ValueType<boolean> = {
  valueName: "boolean",
  isSwitch: true,
  parse(text) {
    const value = parseBooleanText(text);
    return value === undefined ? { problem: notABoolean, plain: "expected true or false" } : { value };
  },
  print: String,
};

/** Inverts a boolean type. */
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

/** Returns the type of whole numbers from 0 to `maximum`. */
function wholeNumber(valueName: string, maximum: number): ValueType<number> {
  return {
    valueName,
    range: { minimum: 0, maximum },
    parse(text) {
      if (!/^[+-]?\d+$/.test(text.trim())) return { problem: "not a valid integer" };
      const value = Number(text);
      if (value < 0) {
        return { problem: "Only expecting a non negative integer", plain: "expected an integer of at least 0" };
      }
      return value > maximum ? { problem: `expecting an integer of at most ${maximum}` } : { value };
    },
    print: String,
  };
}

export const count = wholeNumber("count", 2 ** 31 - 1);
/** Whole seconds, up to 2^31 ms, the maximum of timers. */
export const seconds = wholeNumber("seconds", 2_147_483);
export const positiveSeconds = positive(seconds);
export const milliseconds = wholeNumber("milliseconds", 2 ** 31 - 1);
export const port = wholeNumber("port", 65_535);

function positive(type: ValueType<number>): ValueType<number> {
  return {
    ...type,
    ...(type.range && { range: { ...type.range, minimum: 1 } }),
    parse(text) {
      const parsed = type.parse(text);
      if (!("value" in parsed) || parsed.value !== 0) return parsed;
      return { problem: "Only expecting a positive integer", plain: "expected an integer of at least 1" };
    },
  };
}

/** A number from 0 to 1. */
export const ratio: ValueType<number> = {
  valueName: "ratio",
  range: { minimum: 0, maximum: 1 },
  parse(text) {
    const value = Number(text);
    const isRatio = text.trim() !== "" && value >= 0 && value <= 1;
    return isRatio ? { value } : { problem: "expecting a number from 0 to 1" };
  },
  print: String,
};

export const positiveCount = positive(count);

/** Maximum number of workers. Larger numbers are probably errors. */
const maxWorkers = 256;
const workerCount = positive(wholeNumber("count", maxWorkers));

/** Number of serving processes; `auto`: one for each available core. */
export const workers: ValueType<number> = {
  ...workerCount,
  valueName: "count|auto",
  parse(value) {
    if (value.trim().toLowerCase() === "auto") return { value: Math.min(availableParallelism(), maxWorkers) };
    return /^[+-]?\d+$/.test(value.trim()) ? workerCount.parse(value) : { problem: "expecting a number, or auto" };
  },
};
export const bytesOrNone = wholeNumber("bytes", 2 ** 31 - 1);
export const bytes = positive(bytesOrNone);
/** Maximum length of a JavaScript string. */
export const maxTextLength = 2 ** 29 - 25;
/** Size limit of a text that is stored in one string. */
export const textBytes = positive(wholeNumber("bytes", maxTextLength));

export function text(valueName: string): ValueType<string> {
  return { valueName, parse: (value) => ({ value }), print: (value) => value };
}

export function nonEmptyText(valueName: string): ValueType<string> {
  return {
    ...text(valueName),
    parse: (value) => (value === "" ? { problem: "empty string not allowed" } : { value }),
  };
}

export function secret(valueName: string): ValueType<Secret> {
  return { valueName, parse: (value) => ({ value: new Secret(value) }), print: () => null };
}

/** Returns the type of secrets that must not be empty: a variable that failed to expand must not disable protection. */
export function nonEmptySecret(valueName: string): ValueType<Secret> {
  return {
    ...secret(valueName),
    parse: (value) => (value.trim() === "" ? { problem: "empty string not allowed" } : { value: new Secret(value) }),
  };
}

/** Returns the type of generated keys. Shorter keys could be found by brute force. */
export function encryptionKey(valueName: string): ValueType<Secret> {
  return {
    ...secret(valueName),
    parse: (value) =>
      value.length < 32
        ? { problem: "expecting at least 32 characters, such as `openssl rand -base64 32` prints" }
        : { value: new Secret(value) },
  };
}

/**
 * A database URL, which may contain a password. An empty URL is rejected instead of ignored: a variable that failed to
 * expand must not make the server start on another database.
 */
export const databaseUrl: ValueType<Secret> = {
  ...secret("url"),
  parse(value) {
    if (value.trim() === "") return { problem: "empty string not allowed" };
    // The text is not repeated in messages, because any part of an invalid URL may be a password.
    if (!/^(?:postgres(?:ql)?:\/\/|[a-z_]+\s*=)/i.test(value.trim())) {
      return { problem: "expected the URL of a PostgreSQL database, such as postgres://user:password@host:5432/name" };
    }
    return { value: new Secret(value) };
  },
};

/** A Redis URL. Not repeated in messages, because it may contain a password. */
export const redisUrl: ValueType<Secret> = {
  ...secret("url"),
  parse(value) {
    const isRedis = /^rediss?:\/\/./i.test(value.trim()) && URL.canParse(value.trim());
    if (!isRedis) return { problem: "expected the URL of a Redis server, such as redis://user:password@host:6379/0" };
    return { value: new Secret(value.trim()) };
  },
};

/** A JSON array of non-empty secrets. */
export const secretList: ValueType<readonly Secret[]> = {
  valueName: "json",
  parse(value) {
    const problem = { problem: "expecting a JSON array of non-empty strings" };
    try {
      const json: unknown = JSON.parse(value);
      if (!Array.isArray(json) || !json.every((item) => typeof item === "string" && item !== "")) return problem;
      return { value: json.map((item: string) => new Secret(item)) };
    } catch {
      // The parser's message would quote the secrets.
      return problem;
    }
  },
  print: () => null,
};

/** Returns the type of one of several words, case-insensitive. */
export function oneOf<const T extends string>(valueName: string, words: readonly T[]): ValueType<T> {
  return {
    valueName,
    choices: words,
    parse(value) {
      const word = find(words, value);
      return word === undefined
        ? { problem: `unexpected value "${value}"; expecting one of ${listed(words)}` }
        : { value: word };
    },
    print: (value) => value,
  };
}

/** Returns the type of a comma-separated list of words, case-insensitive. An empty text is the empty list. */
export function listOf<const T extends string>(valueName: string, words: readonly T[]): ValueType<ReadonlySet<T>> {
  return {
    valueName,
    choices: words,
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

/** Returns the type of a comma-separated list of case-sensitive names. */
export function names(valueName: string): ValueType<ReadonlySet<string>> {
  return {
    valueName,
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

/** Allowed destinations of outbound calls. */
export const outboundRules: ValueType<OutboundRules> = {
  valueName: "hosts,networks",
  parse(text) {
    const value = parseOutboundRules(text);
    return value === undefined ? { problem: "expecting hosts and networks, comma separated" } : { value };
  },
  print: () => null,
};
