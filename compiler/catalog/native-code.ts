/** The SQL of native queries, with `{{name}}` placeholders for arguments. */

import { cutEnd } from "../../runtime/values/cut-end.ts";

const placeholder = /\{\{([^{}]*)\}\}/g;

/** Returns the argument names in the code, including repetitions. */
export function argumentsIn(code: string): readonly string[] {
  return Array.from(code.matchAll(placeholder), ([, name = ""]) => name.trim());
}

/** Returns the code as one query with each argument replaced, without trailing semicolons and white space. */
export function fillArguments(code: string, argument: (name: string) => string): string {
  return withoutEnd(code).replace(placeholder, (_, name: string) => argument(name.trim()));
}

/** Splits the code at its arguments: every second piece is an argument name. */
export function splitAtArguments(code: string): readonly string[] {
  return withoutEnd(code)
    .split(placeholder)
    .map((piece, i) => (i % 2 === 1 ? piece.trim() : piece));
}

function withoutEnd(code: string): string {
  return cutEnd(code, /[\s;]/);
}
