/** Generated modules compiled without esbuild: the same program as esbuild makes of them, or none. */
import { readdirSync, readFileSync } from "node:fs";
import { transformSync } from "esbuild";
import { describe, expect, it } from "vitest";
import { plainModule } from "../../../../runtime/control/load/plain-module.ts";

const root = new URL("../../../../", import.meta.url);

function modulesBelow(folder: string): string[] {
  return readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => `${folder}/${path}`);
}

const required = /(?:var|const) ?([\w$]+)=require\("[^"]+"\);/g;

/** The constants of a module as one text; imported modules are named in the order of their imports. */
function program(code: string): string {
  const bare = transformSync(code, { loader: "js", minifyWhitespace: true, target: "node20" }).code;
  let body = bare.replace(/^.*module\.exports=__toCommonJS\(\w+\);/s, "").replace(/^"use strict";/, "");
  for (const [index, [, name = ""]] of [...body.matchAll(required)].entries()) {
    if (!name.startsWith("$")) body = body.replaceAll(`${name}.`, () => `$${index}.`);
  }
  return body
    .replace(required, "")
    .replace(/exports\.[^=;]+=[^=;]+;/g, "")
    .replace(/\(0,([\w$]+\.[\w$]+)\)/g, "$1")
    .replace(/0&&\(module\.exports=\{[^}]*\}\);/, "")
    .trim();
}

function ofEsbuild(text: string): string {
  const { code } = transformSync(text, {
    loader: "ts",
    format: "cjs",
    target: "node20",
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  });
  return program(code);
}

const header = 'import { type RowFilter, sql, tableView } from "engine/support";\nimport { b } from "./b.js";\n';

describe("plain modules", () => {
  const paths = [...modulesBelow("generated"), ...modulesBelow("test/golden/compile")].filter(
    (path) => path.startsWith("generated/") || path.includes("/expected/"),
  );

  it("are all that the compiler writes, with the meaning that esbuild gives them and the same lines", () => {
    expect(paths.length).toBeGreaterThan(300);
    for (const path of paths) {
      const text = readFileSync(new URL(path, root), "utf8");
      const code = plainModule(text);
      expect(code, path).toBeDefined();
      expect(code?.split("\n").length, path).toBe(text.split("\n").length);
      expect(program(code ?? ""), path).toBe(ofEsbuild(text));
    }
  });

  it.each([
    ["quotes, comments and code in strings", 'const a = { b: "\\"; b(); // `", c: "/* ${b} */" };\n'],
    ["code in templates", 'const a = sql`\nexport const x = b;\n\\`${b}\\${b} ${sql`${b.b}`} // " `;\n'],
    ["imported names as members, shorthand and names of members", "const a = { b, c: b.b, d: [b, b], e: { b: b } };\n"],
    ["imported names that are called", "const a = tableView(b(sql`x`), () => b);\n"],
    ["imported names in comments", "/** b */\nexport const a: RowFilter = (t, s) => /* b */ b; // b\n"],
    ["letters of other scripts", "export const 书籍_é = { 书: b, été: b.é };\nconst c = (ж) => ж;\n"],
    ["dollars in texts", 'export const a = "$0.b $1";\n'],
    ["names of JavaScript's own objects", "const constructor = { __proto__x: b, constructor: b, toString: b };\n"],
  ])("keep their meaning: %s", (_, code) => {
    const text = header + code;
    const plain = plainModule(text);
    expect(plain).toBeDefined();
    expect(program(plain ?? "")).toBe(ofEsbuild(text));
  });

  it("may be large", () => {
    const long = `const a = "${"\\n".repeat(2_000_000)}";\n`;
    const many = `const c = {\n${"  d: b.d,\n".repeat(100_000)}};\n`;
    const plain = plainModule(header + long + many);
    expect(plain?.split(" $1.b.d,")).toHaveLength(100_001);
    expect(plain).toContain(long);
  });

  it.each([
    ["types", "const a = b as string;\n"],
    ["type arguments", "const a = tableView<string>(b);\n"],
    ["types of parameters", "const a = (t: string) => b;\n"],
    ["parameters with the name of an import", "const a = (b) => b;\n"],
    ["parameters with values", "const a = (t = b) => b;\n"],
    ["types alone", "export type A = string;\n"],
    ["functions", "function f() { return b; }\n"],
    ["bodies of functions", "const a = () => { return b; };\n"],
    ["objects that may be bodies", "const a = (t) => { b };\n"],
    ["other assignments", "const a = 1; b = 2;\n"],
    ["regular expressions", "const a = /`b/;\n"],
    ["strings without an end", 'const a = "b;\n'],
    ["templates without an end", "const a = `b ${b;\n"],
    ["brackets without an end", "const a = (b;\n"],
    ["names of imported modules", "const $0 = b;\n"],
    ["uses of them", "const a = $0;\n"],
    ["the loader's own names", "const a = require(b);\n"],
    ["exports that are not constants", "export default b;\n"],
    ["other quotes", "const a = 'b';\n"],
    ["escapes in names", "const a = \\u0062;\n"],
    ["line ends that end comments, too", "// \u2028const a = b as string;\n"],
    ["old comments", "const a = b; <!-- b\n"],
    ["conditions", "const a = b ? b : b;\n"],
    ["two declarations of a name", "const a = 1;\nconst a = 2;\n"],
  ])("are not taken for plain: %s", (_, code) => {
    expect(plainModule(header + code)).toBeUndefined();
  });
});
