/**
 * Takes secrets out of metadata that is shown rather than handed over. Input: metadata documents that are shown
 * together. Output: the same with numbered placeholders, equal ones for equal secrets: a changed secret stays a change.
 */
import { JsonNumber } from "./json-number.ts";

/** One for all documents that are compared. */
export type Redact = <T>(value: T) => T;

/** `scheme://user:` before a password that reaches up to the last `@`. */
const urlPassword = /^([a-z][a-z0-9+.-]*:\/\/[^:@/?#\s]*:)(.*)(@[^@]*)$/is;
/** In connection strings of keywords, and as parameters of URLs; quotes that do not end go to the end of the text. */
const keywordPassword = /\b((?:password|pwd)\s*=\s*)('(?:[^'\\]|\\.)*'?|\{[^}]*\}?|[^;&\s]+)/gis;

export function redactor(): Redact {
  const numbers = new Map<string, number>();

  function placeholder(secret: string): string {
    const number = numbers.get(secret) ?? numbers.size + 1;
    numbers.set(secret, number);
    return `<redacted ${number}>`;
  }

  function redactText(text: string): string {
    return text
      .replace(
        urlPassword,
        (_, before: string, secret: string, after: string) => `${before}${placeholder(secret)}${after}`,
      )
      .replace(keywordPassword, (_, before: string, secret: string) => `${before}${placeholder(secret)}`);
  }

  /** @param key the nearest key around the value: an item of a list has the list's */
  function redact(value: unknown, key: string): unknown {
    if (typeof value === "string") return redactText(value);
    if (typeof value !== "object" || value === null || value instanceof JsonNumber) return value;
    if (Array.isArray(value)) return value.map((item) => redact(item, key));
    const entries = Object.entries(value).map(([name, member]) => {
      const secret = typeof member === "string" && isSecret(key, name, member);
      return [name, secret ? placeholder(member) : redact(member, name)];
    });
    return Object.fromEntries(entries);
  }

  return <T>(value: T) => redact(value, "") as T;
}

/** Headers that are written out are credentials as often as not; templates take theirs from elsewhere. */
function isSecret(holder: string, name: string, text: string): boolean {
  if (holder === "connection_parameters") return name === "password";
  if (holder === "headers") return name === "value";
  return holder === "add_headers" && !text.includes("{{");
}
