/**
 * Replaces secrets in metadata that is displayed. Documents that are displayed together share a redactor: equal secrets
 * have equal numbered placeholders, so that a changed secret still shows as a change.
 */
import { JsonNumber } from "./json-number.ts";

/** Returns a copy of a document without secrets. */
export type Redact = <T>(value: T) => T;

/** Matches `scheme://user:`, the password up to the last `@`, and the text from that `@` on. */
const urlPassword = /^([a-z][a-z0-9+.-]*:\/\/[^:@/?#\s]*:)(.*)(@[^@]*)$/is;
/** Matches passwords in keyword connection strings and URL parameters. An unclosed quote extends to the end of the text. */
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

  /**
   * Redacts the secrets in a value.
   * @param key the nearest enclosing key; for items of a list, the key of the list
   */
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

/** Returns true for passwords and for literal headers, which are often credentials; templates contain no secrets. */
function isSecret(holder: string, name: string, text: string): boolean {
  if (holder === "connection_parameters") return name === "password";
  if (holder === "headers") return name === "value";
  return holder === "add_headers" && !text.includes("{{");
}
