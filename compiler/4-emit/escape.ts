/**
 * Escapes text from metadata and databases for generated modules: strings, SQL templates, comments and property names.
 * Such text enters a module only through this file; names of variables come from `identifiers.ts`.
 */

/** Line terminators, control and format characters, and invisible characters. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

function escapeHidden(text: string): string {
  return text.replace(hidden, (character) => {
    if (character === "\n") return "\\n";
    const code = character.codePointAt(0) ?? 0;
    return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

/** Returns a string literal in double quotes. */
export function stringLiteral(text: string): string {
  return escapeHidden(JSON.stringify(text));
}

/** Escapes text between the interpolations of a template. */
export function templateText(text: string): string {
  return escapeHidden(text.replace(/[\\`]|\$(?=\{)/g, "\\$&"));
}

/** Returns a template literal without interpolations. */
export function templateLiteral(text: string): string {
  return `\`${templateText(text)}\``;
}

/** Escapes text for a template, keeping its line breaks. */
export function templateLines(text: string): string {
  return text.split("\n").map(templateText).join("\n");
}

/**
 * Escapes text for a comment, on one line. It cannot end the comment or form an annotation that tools act on
 * (`@ts-expect-error`, `#__PURE__`, `# sourceMappingURL`).
 */
export function commentText(text: string): string {
  return escapeHidden(text.trim().replace(/\s+/g, " "))
    .replaceAll("*/", "*\\/")
    .replace(/(?<![\w\\])[@#](?=[ A-Za-z_])/g, "\\$&");
}

const simpleKey = /^[A-Za-z_$][\w$]*$/;
/** In an object literal this key sets the prototype, unless it is computed. */
const prototypeKey = "__proto__";

/** Returns a property key for an object literal. */
export function propertyKey(name: string): string {
  if (name === prototypeKey) return `["${prototypeKey}"]`;
  return simpleKey.test(name) ? name : stringLiteral(name);
}

/** Returns an expression that reads a property of a variable. */
export function propertyAccess(variable: string, name: string): string {
  return simpleKey.test(name) && name !== prototypeKey ? `${variable}.${name}` : `${variable}[${stringLiteral(name)}]`;
}
