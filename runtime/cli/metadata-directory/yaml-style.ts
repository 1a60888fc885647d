/** The style of YAML files, and the text of new values in it. */
import { Document, isCollection, isMap, isScalar, isSeq, type Pair, Scalar, visit, type YAMLSeq } from "yaml";
import type { YamlFile } from "../../metadata-text/yaml-file.ts";
import { IncludedFile, type YamlContent, yamlOptions, yamlText } from "../../metadata-text/yaml-text.ts";
import { JsonNumber } from "../../values/json-number.ts";
import { indented } from "./text-edits.ts";

export interface YamlStyle {
  readonly isJson: boolean;
  readonly lineBreak: string;
  /** Columns by which members of an object are indented. */
  readonly indent: number;
  /** Columns by which the dashes of a list are indented. */
  readonly listIndent: number;
  /** True for `{ a: 1 }` instead of `{a: 1}`. */
  readonly isPadded: boolean;
  /** Returns true if the file has the values of a key in flow style. */
  isFlow(key: string): boolean;
}

/** Key of the items of a list, for `isFlow`. */
const itemKey = (key: string): string => `${key}[]`;

/** Maximum length of a new object or list in flow style. */
const maxFlowLength = 100;

/** @param others returns the other files of the folder, whose style applies to keys that the file lacks */
export function styleOf(file: YamlFile, others: () => readonly YamlFile[]): YamlStyle {
  const own = flowKeys(file);
  let all: ReadonlyMap<string, boolean> | undefined;
  const fromOthers = (key: string): boolean => {
    all ??= new Map(others().flatMap((each) => [...flowKeys(each)]));
    return all.get(key) ?? false;
  };
  const { text } = file.source;
  return {
    isJson: file.source.file.endsWith(".json"),
    lineBreak: text.includes("\r\n") ? "\r\n" : "\n",
    ...indentation(file),
    isPadded: /\{ +[^\s}]/.test(text),
    isFlow: (key) => own.get(key) ?? fromOthers(key),
  };
}

function flowKeys({ document }: YamlFile): ReadonlyMap<string, boolean> {
  const found = new Map<string, boolean>();
  const note = (key: string, value: unknown): void => {
    if (!isCollection(value) || value.items.length === 0) return;
    if (!found.has(key)) found.set(key, value.flow === true);
    if (isSeq(value)) for (const item of value.items) note(itemKey(key), item);
  };
  note("", document.contents);
  visit(document, {
    Pair: (_, { key, value }) => note(isScalar(key) ? String(key.value) : "", value),
  });
  return found;
}

function indentation({ document, source }: YamlFile): { readonly indent: number; readonly listIndent: number } {
  let indent: number | undefined;
  let listIndent: number | undefined;
  const column = (offset: number): number => offset - (source.text.lastIndexOf("\n", offset - 1) + 1);
  visit(document, {
    Pair: (_, { key, value }: Pair) => {
      if (!isScalar(key) || !key.range || !isCollection(value) || value.flow || !value.range) return;
      const difference = column(value.range[0]) - column(key.range[0]);
      if (isMap(value) && difference > 0) indent ??= difference;
      if (isSeq(value) && difference >= 0) listIndent ??= difference;
    },
  });
  return { indent: indent ?? 2, listIndent: listIndent ?? 2 };
}

// ---------------------------------------------------------------- text of new values

type Members = Readonly<Record<string, YamlContent>>;

const isMembers = (value: YamlContent): value is Members =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof IncludedFile) &&
  !((value as unknown) instanceof JsonNumber);

const isList = (value: YamlContent): value is readonly YamlContent[] => Array.isArray(value);

const isEmpty = (value: YamlContent): boolean =>
  isList(value) ? value.length === 0 : isMembers(value) && Object.keys(value).length === 0;

/** Returns the text of a value on one line. */
export function flowText(value: YamlContent, style: YamlStyle): string {
  if (isList(value)) return `[${value.map((item) => flowText(item, style)).join(", ")}]`;
  if (!isMembers(value)) return scalarText(value, style);
  const members = Object.entries(value).map(([key, member]) => memberText(key, flowText(member, style), style));
  const padding = style.isPadded && members.length > 0 ? " " : "";
  return `{${padding}${members.join(", ")}${padding}}`;
}

/** Returns the text of a key with its value. */
export function memberText(key: string, text: string, style: YamlStyle): string {
  return `${scalarText(key, style)}: ${text}`;
}

/** @param type the quotes of the text, if the value can have them */
export function scalarText(value: YamlContent, style: YamlStyle, type?: Scalar.Type): string {
  if (value instanceof IncludedFile) return JSON.stringify(`!include ${value.path}`);
  if ((value as unknown) instanceof JsonNumber) return String(value);
  if (style.isJson || typeof value !== "string") return JSON.stringify(value);
  if (value.startsWith("!include")) return `!!str ${JSON.stringify(value)}`;
  if (/[\n\r]/.test(value)) return JSON.stringify(value);
  const scalar = new Scalar(value);
  if (type === Scalar.QUOTE_DOUBLE || type === Scalar.QUOTE_SINGLE) scalar.type = type;
  const document = new Document([scalar], yamlOptions);
  // In a list in flow style, the text is quoted wherever any place needs it.
  (document.contents as unknown as YAMLSeq).flow = true;
  const text = document.toString({ lineWidth: 0, flowCollectionPadding: false });
  return text.slice(text.indexOf("[") + 1, text.lastIndexOf("]"));
}

/** Returns true if a value has lines of its own, indented below its key or dash. */
export function isBlock(value: YamlContent, key: string, style: YamlStyle): boolean {
  if (style.isJson || !(isList(value) || isMembers(value)) || isEmpty(value)) return false;
  return !style.isFlow(key) || flowText(value, style).length > maxFlowLength;
}

/**
 * Returns the lines of a non-empty object or list in block style.
 * @param key the key of the value, or `itemKey` of the list's key
 */
export function blockLines(value: YamlContent, key: string, style: YamlStyle): readonly string[] {
  if (isList(value)) return value.flatMap((item) => itemLines(item, itemKey(key), style));
  if (isMembers(value)) return Object.entries(value).flatMap(([name, member]) => memberLines(name, member, style));
  return [scalarText(value, style)];
}

/** Returns the lines of a dash with its item. */
export function itemLines(item: YamlContent, key: string, style: YamlStyle): readonly string[] {
  if (!isBlock(item, key, style)) return linesOf("- ", item, style);
  return blockLines(item, key, style).map((line, index) => (index === 0 ? `- ${line}` : indented(line, 2)));
}

/** Returns the lines of a key with its value. */
export function memberLines(key: string, value: YamlContent, style: YamlStyle): readonly string[] {
  if (!isBlock(value, key, style)) return linesOf(`${scalarText(key, style)}: `, value, style);
  const columns = isList(value) ? style.listIndent : style.indent;
  return [`${scalarText(key, style)}:`, ...blockLines(value, key, style).map((line) => indented(line, columns))];
}

/** Returns a text with line breaks as a block scalar, and any other value on one line. */
function linesOf(prefix: string, value: YamlContent, style: YamlStyle): readonly string[] {
  if (style.isJson || typeof value !== "string" || !value.includes("\n") || value.includes("\r")) {
    return [`${prefix}${flowText(value, style)}`];
  }
  const [first = "", ...rest] = yamlText({ x: value }).replace(/\n$/, "").split("\n");
  return [`${prefix}${first.slice("x: ".length)}`, ...rest];
}
