/** A form as a body (`application/x-www-form-urlencoded`) → its fields. */
import { EngineError } from "../values/errors.ts";

/** Decoding takes a few milliseconds at most. */
const longestForm = 1024 * 1024;
const mostFields = 1000;

const formType = /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** `curl -d` calls everything a form that is given no type; an encoded form has no braces. */
export function isForm(contentType: string | undefined, body: string): boolean {
  return contentType !== undefined && formType.test(contentType) && !/^\s*\{/.test(body);
}

/**
 * The fields in their order; a name can come several times.
 * @throws EngineError with status 413 for longer forms than are decoded
 */
export function readForm(body: string): Iterable<readonly [name: string, text: string]> {
  if (body.length > longestForm) throw tooMuch(`${longestForm} characters`);
  if (body.split("&", mostFields + 1).length > mostFields) throw tooMuch(`${mostFields} fields`);
  return new URLSearchParams(body);
}

function tooMuch(bound: string): EngineError {
  return new EngineError("bad-request", "$", `a form may have ${bound}: send the values as JSON`, { status: 413 });
}
