/** Replaces variables in values of Compose files: `$NAME`, `${NAME:-default}` and the other forms, `$$` for a dollar. */

export interface Interpolated {
  readonly value: string;
  /** Variables without a value and a default, which are empty. */
  readonly unset: readonly string[];
  /** Describes invalid syntax, or a required variable without a value. Contains no values. */
  readonly problem?: string | undefined;
}

type Lookup = (name: string) => string | undefined;

/** Maximum nesting of defaults. */
const maxDepth = 10;

/** https://docs.docker.com/reference/compose-file/interpolation/ */
export function interpolate(text: string, lookup: Lookup): Interpolated {
  const unset = new Set<string>();
  try {
    return { value: replaced(text, lookup, unset, 0), unset: [...unset] };
  } catch (error) {
    if (error instanceof InterpolationError) return { value: "", unset: [], problem: error.message };
    throw error;
  }
}

class InterpolationError extends Error {}

function replaced(text: string, lookup: Lookup, unset: Set<string>, depth: number): string {
  if (depth > maxDepth) throw new InterpolationError("defaults are nested too deeply");
  const parts: string[] = [];
  let at = 0;
  for (let dollar = text.indexOf("$"); dollar >= 0; dollar = text.indexOf("$", at)) {
    parts.push(text.slice(at, dollar));
    if (text[dollar + 1] === "$") {
      parts.push("$");
      at = dollar + 2;
      continue;
    }
    const isBraced = text[dollar + 1] === "{";
    const end = isBraced ? closingBrace(text, dollar + 2) : nameEnd(text, dollar + 1);
    const inner = isBraced ? text.slice(dollar + 2, end) : text.slice(dollar + 1, end);
    parts.push(substituted(inner, lookup, unset, depth));
    at = isBraced ? end + 1 : end;
  }
  return [...parts, text.slice(at)].join("");
}

function nameEnd(text: string, start: number): number {
  const name = /[A-Za-z_]\w*/y;
  name.lastIndex = start;
  if (!name.test(text)) throw new InterpolationError("invalid variable; write $$ for a dollar sign");
  return name.lastIndex;
}

/** Returns the index of the brace that closes the one before `start`. */
function closingBrace(text: string, start: number): number {
  const brace = /\$\{|\}/g;
  brace.lastIndex = start;
  let open = 1;
  for (let match = brace.exec(text); match !== null; match = brace.exec(text)) {
    open += match[0] === "}" ? -1 : 1;
    if (open === 0) return match.index;
  }
  throw new InterpolationError("a brace is not closed");
}

function substituted(inner: string, lookup: Lookup, unset: Set<string>, depth: number): string {
  const [, name, mark, word = ""] = /^([A-Za-z_]\w*)(?:(:?[-?+])([\s\S]*))?$/.exec(inner) ?? [];
  if (name === undefined)
    throw new InterpolationError("invalid variable; expected a name, or a name and :-default, in braces");
  const value = lookup(name);
  // With a colon, an empty value counts as none.
  const isSet = value !== undefined && !(mark?.startsWith(":") && value === "");
  switch (mark?.at(-1)) {
    case "-":
      return isSet ? value : replaced(word, lookup, unset, depth + 1);
    case "+":
      return isSet ? replaced(word, lookup, unset, depth + 1) : "";
    case "?":
      if (!isSet) throw new InterpolationError(`the required variable ${name} is not set`);
      return value;
    default:
      if (value === undefined) unset.add(name);
      return value ?? "";
  }
}
