/** Converts names from metadata to names of variables in generated modules. */

/** Reserved words of ECMAScript modules, and names with a meaning in CommonJS, the form in which modules are loaded. */
const reserved = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends " +
    "false finally for function if implements import in instanceof interface let new null package private protected " +
    "public return static super switch this throw true try typeof var void while with yield " +
    "globalThis Infinity NaN Object undefined exports module require __dirname __esModule __filename __proto__"
  ).split(" "),
);

/** Variables that hold imported modules in the JavaScript form of a module. */
const importedModule = /^\$\d+$/;

/**
 * Letters in every version of Unicode that tools support: Latin, Greek, Cyrillic, Hebrew, Arabic, Devanagari, Thai,
 * Japanese, Chinese, Korean.
 */
const letters =
  "A-Za-z\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u024f\\u0388-\\u038a\\u038e-\\u03a1\\u03a3-\\u03ce\\u0400-\\u0481\\u048a-\\u052f" +
  "\\u05d0-\\u05ea\\u0620-\\u064a\\u0904-\\u0939\\u0e01-\\u0e30\\u3041-\\u3096\\u30a1-\\u30fa\\u4e00-\\u9fa5\\uac00-\\ud7a3";
const notInName = new RegExp(`[^${letters}0-9_$]`, "gu");
const start = new RegExp(`^[${letters}_$]`, "u");

/** Returns a name as an identifier. Not injective. */
export function identifier(name: string): string {
  const word = name.replace(notInName, "_");
  const started = start.test(word) ? word : `_${word}`;
  return reserved.has(started) || importedModule.test(started) ? `${started}_` : started;
}

/** Returns words as the name of a variable: `My loans` becomes `myLoans`. */
export function camelCase(words: string): string {
  const [first = "", ...others] = words.split(/[^\p{L}\p{N}$]+/u).filter((word) => word !== "");
  const start = first.slice(0, 1).toLowerCase() + first.slice(1);
  return identifier(start + others.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join(""));
}

/** Returns the name of something that belongs to a role: `rowsOf` and `author-editor` become `rowsOfAuthorEditor`. */
export function nameOfRole(prefix: string, role: string): string {
  const words = role.split(/[\s_-]+/).map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
  return identifier(`${prefix}${words.join("")}`);
}

/** Names that modules of tables and functions export in addition to the table or function. */
const sharedExports = new Set(["columns", "computedFields", "joins", "tracked"]);

/** Returns the name under which a module exports its table or function. */
export function exportName(table: string): string {
  const name = identifier(table);
  return sharedExports.has(name) ? `${name}_` : name;
}
