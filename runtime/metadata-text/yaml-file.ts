/** Parses a YAML file into its includes and its value with source positions. */

import { type Document, isAlias, isMap, isScalar, isSeq, type Node, parseDocument, type Scalar, visit } from "yaml";
import { fileError, jsonOfNumber, type Located, type Locations, type Place, type SourceText } from "./locations.ts";

const includeTag = "!include";
/** Tag of strings that look like an include. */
export const stringTag = "tag:yaml.org,2002:str";

export interface YamlFile {
  readonly source: SourceText;
  readonly document: Document;
}

export interface Include {
  readonly target: string;
  readonly place: Place;
}

/** @throws EngineError with file, line and column for invalid YAML and for unknown tags */
export function parseYaml(source: SourceText): YamlFile {
  const document = parseDocument(source.text, {
    prettyErrors: false,
    logLevel: "silent",
    // Changes of the text need the places of colons, dashes and comments.
    keepSourceTokens: true,
    customTags: [{ tag: includeTag, resolve: (text: string) => text }],
  });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) throw fileError({ source, offset: problem.pos[0] }, problem.message);
  return { source, document };
}

/** Returns the includes in the order of the text. */
export function includesOf({ source, document }: YamlFile): readonly Include[] {
  const includes: Include[] = [];
  visit(document, {
    Scalar: (key, node) => {
      const target = key === "key" ? undefined : includeTarget(node);
      if (target !== undefined) includes.push({ target, place: placeOf(source, node) });
    },
  });
  return includes;
}

/** Returns the path of an include: the quoted string `"!include x.yaml"`, or the tag `!include`. */
export function includeTarget(node: Scalar): string | undefined {
  if (typeof node.value !== "string") return undefined;
  if (node.tag === includeTag) return node.value.trim();
  const quoted = node.type === "QUOTE_DOUBLE" || node.type === "QUOTE_SINGLE";
  const marked = quoted && node.tag === undefined && node.value.startsWith(`${includeTag} `);
  return marked ? node.value.slice(includeTag.length).trim() : undefined;
}

function placeOf(source: SourceText, node: Node): Place {
  return { source, offset: node.range?.[0] ?? 0 };
}

/** @param included returns the value of an included file */
export function yamlValue(file: YamlFile, locations: Locations, included: (target: string) => Located): Located {
  const { source, document } = file;
  const known = new Map<Node, Located>();
  const open = new Set<Node>();

  function convert(node: Node): Located {
    const before = known.get(node);
    if (before !== undefined) return before;
    const place = placeOf(source, node);
    if (open.has(node)) throw fileError(place, "an anchor contains an alias of itself");
    open.add(node);
    const located = convertNew(node, place);
    open.delete(node);
    known.set(node, located);
    return located;
  }

  function convertNew(node: Node, place: Place): Located {
    if (isAlias(node)) {
      const target = node.resolve(document);
      if (target === undefined) throw fileError(place, `unknown anchor ${node.source}`);
      return convert(target);
    }
    if (isMap<Node, Node | null>(node)) {
      const entries = node.items.map(({ key, value }): [string, Located] => [
        keyText(source, key),
        value === null ? { value: null, place } : convert(value),
      ]);
      return { value: locations.object(entries, place), place };
    }
    if (isSeq<Node>(node)) return { value: locations.list(node.items.map(convert), place), place };
    if (!isScalar(node)) throw fileError(place, "expected a value");
    const target = includeTarget(node);
    return target === undefined ? { value: scalarValue(node, place), place } : included(target);
  }

  const root = document.contents;
  return root === null ? { value: null, place: { source, offset: 0 } } : convert(root as Node);
}

function keyText(source: SourceText, key: Node): string {
  if (!isScalar(key)) throw fileError(placeOf(source, key), "expected a string as the key");
  return typeof key.value === "string" ? key.value : (key.source ?? String(key.value));
}

function scalarValue(node: Scalar, place: Place): Located["value"] {
  const { value, source } = node;
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  const number = source === undefined ? undefined : jsonNumberText(source);
  if (number !== undefined && Number(number) === value) return jsonOfNumber(number);
  // YAML 1.1 allows other spellings: `1_000`, `010` for 8.
  if (Number.isFinite(value)) return jsonOfNumber(String(value));
  throw fileError(place, `${source ?? value} is not a JSON value`);
}

const yamlNumber = /^([-+]?)(?:(0[xX][\dA-Fa-f]+|0o[0-7]+)|0*(\d*)(?:\.(\d*))?([eE][-+]?\d+)?)$/;

/**
 * Converts YAML numbers that are not valid JSON, with all digits: `+1`, `007`, `.5`, `5.`, `0x1F`. Returns `undefined`
 * for `.inf` and `.nan`.
 */
function jsonNumberText(text: string): string | undefined {
  const [, sign, based, whole = "", fraction = "", exponent = ""] = yamlNumber.exec(text) ?? [];
  if (sign === undefined) return undefined;
  const minus = sign === "-" ? "-" : "";
  if (based !== undefined) return `${minus}${BigInt(based)}`;
  return `${minus}${whole === "" ? "0" : whole}${fraction === "" ? "" : `.${fraction}`}${exponent}`;
}
