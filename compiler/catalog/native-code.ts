/** The SQL of native queries, in which `{{name}}` stands for an argument (`metadata-api.md` 2.17). */

import { cutEnd } from "../../runtime/values/cut-end.ts";

const placeholder = /\{\{([^{}]*)\}\}/g;

/** The names of the arguments that the code uses, as often as it does. */
export function argumentsIn(code: string): readonly string[] {
  return Array.from(code.matchAll(placeholder), ([, name = ""]) => name.trim());
}

/** The code as one query, without what ends a statement, with each argument replaced. */
export function fillArguments(code: string, argument: (name: string) => string): string {
  return withoutEnd(code).replace(placeholder, (_, name: string) => argument(name.trim()));
}

/** The same in pieces: every second one is the name of an argument. */
export function splitAtArguments(code: string): readonly string[] {
  return withoutEnd(code)
    .split(placeholder)
    .map((piece, i) => (i % 2 === 1 ? piece.trim() : piece));
}

function withoutEnd(code: string): string {
  return cutEnd(code, /[\s;]/);
}
