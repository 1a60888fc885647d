/** Positions in JSON text, also in incomplete text: the place of the cursor, and the range of each value. */

export type JsonPath = readonly (string | number)[];

interface Level {
  readonly isObject: boolean;
  /** Position of the opening bracket. */
  readonly start: number;
  readonly names: string[];
  /** Name or index of the current member. */
  key: string | number;
  expects: "name" | "value" | "other";
}

const pattern = /"(?:[^"\\]|\\.)*"?|[{}[\]:,]|[^\s{}[\]:,"]+/g;

type OnValue = (path: JsonPath, from: number, to: number) => void;

/** Reads tokens into levels of nested brackets, from the outermost. */
function read(text: string, onValue: OnValue = () => undefined): readonly Level[] {
  const levels: Level[] = [];
  const path = (): JsonPath => levels.map(({ key }) => key);
  for (const { 0: token, index } of text.matchAll(pattern)) {
    const level = levels.at(-1);
    if (token === "{" || token === "[") {
      const isObject = token === "{";
      levels.push({ isObject, start: index, names: [], key: isObject ? "" : 0, expects: isObject ? "name" : "value" });
    } else if (token === "}" || token === "]") {
      levels.pop();
      onValue(path(), level?.start ?? index, index + 1);
      const parent = levels.at(-1);
      if (parent) parent.expects = "other";
    } else if (level && token === ":") {
      level.expects = "value";
    } else if (level && token === ",") {
      level.expects = level.isObject ? "name" : "value";
      if (typeof level.key === "number") level.key += 1;
    } else if (level?.expects === "name") {
      level.key = nameOf(token);
      level.names.push(level.key);
      level.expects = "other";
    } else if (level) {
      onValue(path(), index, index + token.length);
      level.expects = "other";
    }
  }
  return levels;
}

function nameOf(token: string): string {
  try {
    return String(JSON.parse(token));
  } catch {
    return token.replace(/^"|"$/g, "");
  }
}

interface JsonCursor {
  readonly expects: "name" | "value";
  /** Path of the object whose member is named, or of the value. */
  readonly path: JsonPath;
  /** Names before the cursor in the same object. */
  readonly names: readonly string[];
  /** Start of the name or value that the user has begun. */
  readonly from: number;
}

/** Returns what may be written at a position; `null` where no name or value belongs. */
export function jsonCursor(text: string, position: number): JsonCursor | null {
  const before = text.slice(0, position);
  const begun = /(?:"(?:[^"\\]|\\.)*|[^\s{}[\]:,"]+)$/.exec(unquoted(before))?.[0] ?? "";
  const from = position - begun.length;
  const levels = read(text.slice(0, from));
  const level = levels.at(-1);
  if (!level || level.expects === "other") return null;
  const outer = levels.slice(0, -1).map(({ key }) => key);
  const path = level.expects === "name" ? outer : [...outer, level.key];
  return { expects: level.expects, path, names: level.names, from };
}

/** Replaces complete strings, so that a quote in the rest begins a string. */
const unquoted = (text: string): string => text.replace(/"(?:[^"\\]|\\.)*"/g, (found) => " ".repeat(found.length));

/** Returns the range of the value at a path; `undefined` if there is none. */
export function rangeOfValue(text: string, path: JsonPath): { readonly from: number; readonly to: number } | undefined {
  const key = JSON.stringify(path);
  let found: { from: number; to: number } | undefined;
  read(text, (each, from, to) => {
    if (JSON.stringify(each) === key) found = { from, to };
  });
  return found;
}
