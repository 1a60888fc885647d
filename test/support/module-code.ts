/** Compiles modules that tests write as TypeScript to the form that the runtime loads, and compares both forms. */
import { transformSync } from "esbuild";
import { expect } from "vitest";

/** Returns the body of a CommonJS module. */
export function moduleCode(text: string): string {
  return transformSync(text, {
    loader: "ts",
    format: "cjs",
    target: "node20",
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  }).code;
}

const requiredModule = /(?:var|const) ?([\w$]+)=require\("([^"]+)"\);/g;
const requiredNames = /const ?\{([^}]*)\}=require\("([^"]+)"\);/g;

/** Checks that the body of a CommonJS module equals esbuild's output for the TypeScript, with the same lines. */
export function expectSameProgram(code: string, text: string, path: string): void {
  expect(code.split("\n").length, path).toBe(text.split("\n").length);
  const own = minified(code);
  const locals = new Map<string, string>();
  for (const [, names = "", from = ""] of own.matchAll(requiredNames)) {
    for (const name of names.split(",")) {
      const [exported = "", local = exported] = name.split(":");
      locals.set(`«${from}».${exported}`, local);
    }
  }
  expect(declarations(own, locals), path).toBe(declarations(minified(moduleCode(text)), locals));
}

const minified = (code: string): string =>
  transformSync(code, { loader: "js", minifyWhitespace: true, target: "node20" }).code;

/** Returns the constants of a module; imported names are written `«specifier».name`. */
function declarations(code: string, locals: ReadonlyMap<string, string>): string {
  let body = code.replace(/^.*module\.exports=__toCommonJS\(\w+\);/s, "").replace(/^"use strict";/, "");
  for (const [, name = "", from = ""] of body.matchAll(requiredModule)) {
    body = body.replaceAll(`${name}.`, () => `«${from}».`);
  }
  return body
    .replace(requiredNames, "")
    .replace(requiredModule, "")
    .replace(/\(0,(«[^»]+»\.[\w$]+)\)/g, "$1")
    .replace(/«[^»]+»\.[\w$]+/g, (name) => locals.get(name) ?? name)
    .replace(/exports\.[^=;]+=[^=;]+;/g, "")
    .replace(/0&&\(module\.exports=\{[^}]*\}\);/, "")
    .trim();
}
