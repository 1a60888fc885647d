/**
 * The options of `pg_dump` that a request may use: selection of objects and format of the output. Other options would
 * connect to another server with the source's password, or read and write files of the host.
 */
import { EngineError } from "../../../values/errors.ts";

/** The values of an option: none, any, or a list compared case-insensitively. */
type Value = "none" | "any" | readonly string[];

interface DumpOption {
  readonly value: Value;
  readonly short?: string;
}

const flag: DumpOption = { value: "none" };
const text: DumpOption = { value: "any" };

/** Some options exist only in some versions of pg_dump; other versions report an error. */
const dumpOptions: ReadonlyMap<string, DumpOption> = new Map<string, DumpOption>([
  ["blobs", { value: "none", short: "b" }],
  ["clean", { value: "none", short: "c" }],
  ["column-inserts", flag],
  ["create", { value: "none", short: "C" }],
  ["data-only", { value: "none", short: "a" }],
  ["disable-dollar-quoting", flag],
  ["disable-triggers", flag],
  ["enable-row-security", flag],
  // The response is UTF-8.
  ["encoding", { value: ["utf8", "utf-8", "unicode"], short: "E" }],
  ["exclude-extension", text],
  ["exclude-schema", { value: "any", short: "N" }],
  ["exclude-table", { value: "any", short: "T" }],
  ["exclude-table-and-children", text],
  ["exclude-table-data", text],
  ["exclude-table-data-and-children", text],
  ["extension", { value: "any", short: "e" }],
  ["extra-float-digits", text],
  // The response is text.
  ["format", { value: ["p", "plain"], short: "F" }],
  ["if-exists", flag],
  ["include-foreign-data", text],
  ["inserts", flag],
  ["large-objects", flag],
  ["load-via-partition-root", flag],
  ["lock-wait-timeout", text],
  ["no-blobs", { value: "none", short: "B" }],
  ["no-comments", flag],
  ["no-data", flag],
  ["no-large-objects", flag],
  ["no-owner", { value: "none", short: "O" }],
  ["no-policies", flag],
  ["no-privileges", { value: "none", short: "x" }],
  ["no-acl", flag],
  ["no-publications", flag],
  ["no-schema", flag],
  ["no-security-labels", flag],
  ["no-statistics", flag],
  ["no-subscriptions", flag],
  ["no-sync", flag],
  ["no-table-access-method", flag],
  ["no-tablespaces", flag],
  ["no-toast-compression", flag],
  ["no-unlogged-table-data", flag],
  ["on-conflict-do-nothing", flag],
  ["quote-all-identifiers", flag],
  ["role", text],
  ["rows-per-insert", text],
  ["schema", { value: "any", short: "n" }],
  ["schema-only", { value: "none", short: "s" }],
  ["section", { value: ["pre-data", "data", "post-data"] }],
  ["serializable-deferrable", flag],
  ["statistics", flag],
  ["statistics-only", flag],
  ["strict-names", flag],
  ["superuser", { value: "any", short: "S" }],
  ["table", { value: "any", short: "t" }],
  ["table-and-children", text],
  ["use-set-session-authorization", flag],
  ["verbose", { value: "none", short: "v" }],
]);

const longNames = new Map([...dumpOptions].flatMap(([name, { short }]) => (short ? [[short, name] as const] : [])));

/**
 * Normalizes options so that pg_dump can read them in only one way: full long names, values after `=`.
 * @throws EngineError `bad-request` at the position of a rejected option; values are not repeated in the message
 */
export function readDumpOptions(options: readonly string[]): readonly string[] {
  return new OptionReader(options).read();
}

class OptionReader {
  readonly #options: readonly string[];
  readonly #read: string[] = [];
  #at = 0;

  constructor(options: readonly string[]) {
    this.#options = options;
  }

  read(): readonly string[] {
    for (; this.#at < this.#options.length; this.#at++) {
      const option = this.#options[this.#at] ?? "";
      if (option.startsWith("--")) this.#long(option.slice(2));
      else if (option.startsWith("-")) this.#short(option.slice(1));
      else throw this.#refusal("an argument that is not an option of pg_dump");
    }
    return this.#read;
  }

  #long(option: string): void {
    const [name = "", ...rest] = option.split("=");
    this.#add(`--${name}`, name, rest.length === 0 ? undefined : rest.join("="));
  }

  /** Reads short options. Letters may be combined; the letters after an option that takes a value are its value. */
  #short(letters: string): void {
    if (letters === "") throw this.#refusal("an argument that is not an option of pg_dump");
    for (const [i, letter] of [...letters].entries()) {
      const name = longNames.get(letter);
      if (name === undefined || dumpOptions.get(name)?.value === "none") {
        this.#add(`-${letter}`, name, undefined);
      } else {
        const value = [...letters].slice(i + 1).join("");
        this.#add(`-${letter}`, name, value === "" ? undefined : value);
        return;
      }
    }
  }

  #add(written: string, name: string | undefined, given: string | undefined): void {
    const option = name === undefined ? undefined : dumpOptions.get(name);
    if (option === undefined) throw this.#refusal(`option "${written}" of pg_dump`);
    if (option.value === "none") {
      if (given !== undefined) throw this.#error(`option "${written}" of pg_dump takes no value`);
      this.#read.push(`--${name}`);
      return;
    }
    const value = given ?? this.#options[++this.#at];
    if (value === undefined) throw this.#error(`option "${written}" of pg_dump needs a value`);
    if (value.includes("\0")) throw this.#error(`the value of option "${written}" of pg_dump has a NUL character`);
    if (option.value !== "any" && !option.value.includes(value.toLowerCase())) {
      throw this.#error(`option "${written}" of pg_dump can only be ${option.value.join(", ")}`);
    }
    this.#read.push(`--${name}=${value}`);
  }

  #refusal(what: string): EngineError {
    const allowed = [...dumpOptions].map(([name, { short }]) => (short ? `--${name} (-${short})` : `--${name}`));
    return this.#error(`${what} is not allowed; allowed are ${allowed.join(", ")}`);
  }

  #error(message: string): EngineError {
    return new EngineError("bad-request", `$.opts[${Math.min(this.#at, this.#options.length - 1)}]`, message);
  }
}
