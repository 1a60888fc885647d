/**
 * Changes values in the text of a YAML file, at the ranges of its nodes: everything else keeps its comments, quotes,
 * order and line breaks.
 */
import {
  type CST,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  Scalar,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import type { YamlFile } from "../../metadata-text/yaml-file.ts";
import type { YamlContent } from "../../metadata-text/yaml-text.ts";
import { firstLine, indented, Lines, lineAfter, NotEditable, type Splice, spliced } from "./text-edits.ts";
import {
  blockLines,
  flowText,
  isBlock,
  itemLines,
  memberLines,
  memberText,
  scalarText,
  type YamlStyle,
} from "./yaml-style.ts";

export type Collection = YAMLMap<Node, Node | null> | YAMLSeq<Node>;

/** The place of a value in a file. */
export interface Slot {
  readonly file: YamlFile;
  readonly style: YamlStyle;
  readonly node: Node | null;
  /** The collection that contains the value; absent for the value of the whole file. */
  readonly holder?: { readonly node: Collection; readonly index: number; readonly isFlow: boolean };
  /** The key of the value, or of the list that contains it. */
  readonly key: string;
}

/** An entry of a collection after a change. */
export type Entry =
  | { readonly kept: number; readonly splices: readonly Splice[] }
  | { readonly key?: string; readonly value: YamlContent; readonly text?: string };

function isFlowNode(node: Node | null): boolean {
  return isCollection(node) && node.flow === true;
}

export function childSlot(slot: Slot, index: number, key: string): Slot {
  const node = slot.node as Collection;
  const item = node.items[index];
  const child = isMap(node) ? ((item as Pair<Node, Node | null>).value ?? null) : ((item as Node) ?? null);
  const isFlow = slot.holder?.isFlow === true || isFlowNode(node);
  return { file: slot.file, style: slot.style, node: child, holder: { node, index, isFlow }, key };
}

// ---------------------------------------------------------------- extents

type Token = CST.SourceToken;
interface ItemTokens {
  readonly start: readonly Token[];
  readonly key?: unknown;
  readonly sep?: readonly Token[];
}

/** Returns the tokens of each item, without those of comments after the last one. */
function tokensOf(node: Collection, index: number): ItemTokens {
  const items = (node.srcToken as { readonly items?: readonly ItemTokens[] } | undefined)?.items;
  const found = items?.[index];
  if (found === undefined) throw new NotEditable("no tokens");
  return found;
}

const find = (tokens: readonly Token[] | undefined, ...types: readonly string[]): Token | undefined =>
  tokens?.find(({ type }) => types.includes(type));

/** Returns the offset of a key or, in a list in block style, of a dash. */
function startOf(node: Collection, index: number): number {
  const tokens = tokensOf(node, index);
  if (find(tokens.start, "explicit-key-ind") !== undefined) throw new NotEditable("an explicit key");
  const props = find(tokens.start, "anchor", "tag");
  if (isMap(node)) return props?.offset ?? rangeOf((node.items[index] as Pair<Node, Node | null>).key)[0];
  const dash = find(tokens.start, "seq-item-ind");
  if (!node.flow && dash !== undefined) return dash.offset;
  return props?.offset ?? rangeOf(node.items[index] as Node)[0];
}

/** Returns the offset after the value of an item, without comments behind it. */
function endOf(node: Collection, index: number, text: string): number {
  const value = isMap(node)
    ? ((node.items[index] as Pair<Node, Node | null>).value ?? null)
    : (node.items[index] as Node);
  return valueEnd(value, text) ?? indicatorEnd(node, index);
}

/** Returns the offset after the colon of a pair, or after the dash of an item. */
function indicatorEnd(node: Collection, index: number): number {
  const tokens = tokensOf(node, index);
  const indicator = isMap(node) ? find(tokens.sep, "map-value-ind") : find(tokens.start, "seq-item-ind");
  if (indicator === undefined) throw new NotEditable("no indicator");
  return indicator.offset + 1;
}

/** Returns `undefined` for a value without text. */
function valueEnd(node: Node | null, text: string): number | undefined {
  if (node === null) return undefined;
  const [from, to] = rangeOf(node);
  if (isCollection(node) && !node.flow) {
    return node.items.length === 0 ? to : endOf(node as Collection, node.items.length - 1, text);
  }
  if (from === to) return undefined;
  // The range of a block scalar has its last line break.
  if (isScalar(node) && isBlockScalar(node) && text[to - 1] === "\n") return text[to - 2] === "\r" ? to - 2 : to - 1;
  return to;
}

function isBlockScalar({ type }: Scalar): boolean {
  return type === Scalar.BLOCK_LITERAL || type === Scalar.BLOCK_FOLDED;
}

function rangeOf(node: Node): readonly [from: number, to: number] {
  if (!node.range) throw new NotEditable("no range");
  return [node.range[0], node.range[1]];
}

/** Returns the offset of a value, including its anchor and tag; `undefined` for a value without text. */
function valueStart({ node, holder }: Slot): number | undefined {
  if (node === null) return undefined;
  const [from, to] = rangeOf(node);
  if (from === to) return undefined;
  if (isCollection(node) && !node.flow) return blockStart(node as Collection) ?? from;
  if (holder === undefined) return from;
  const tokens = tokensOf(holder.node, holder.index);
  const props = find(isMap(holder.node) ? tokens.sep : tokens.start, "anchor", "tag");
  return props?.offset ?? from;
}

/**
 * Returns the offset of the first dash, or of the anchor, tag or question mark of the first key, which the range of a
 * collection in block style does not include; `undefined` if its first key has none.
 */
function blockStart(node: Collection): number | undefined {
  if (node.items.length === 0) return undefined;
  return find(tokensOf(node, 0).start, "explicit-key-ind", "anchor", "tag", "seq-item-ind")?.offset;
}

// ---------------------------------------------------------------- changes of collections

/**
 * Returns the splices that make the entries of a collection those given, in their order.
 * @param entries kept entries in the order of the text
 */
export function withEntries(slot: Slot, entries: readonly Entry[]): readonly Splice[] {
  const node = slot.node as Collection;
  if (entries.length === 0) return withValue(slot, isMap(node) ? {} : []);
  const isUnchanged = entries.length === node.items.length && entries.every((entry) => "kept" in entry);
  if (isUnchanged) return entries.flatMap((entry) => ("kept" in entry ? entry.splices : []));
  return node.flow ? flowEntries(slot, node, entries) : blockEntries(slot, node, entries);
}

function flowEntries(slot: Slot, node: Collection, entries: readonly Entry[]): readonly Splice[] {
  const { text } = slot.file.source;
  const [open, close] = rangeOf(node);
  const lines = new Lines(text);
  const starts = node.items.map((_, index) => startOf(node, index));
  const ends = node.items.map((_, index) => endOf(node, index, text));
  const gaps = starts.map((start, index) => text.slice(index === 0 ? open + 1 : ends[index - 1], start));
  const [first = open + 1] = starts;
  const isMultiline = lines.isFirst(first);
  const newGap = isMultiline ? `,${slot.style.lineBreak}${" ".repeat(lines.column(first))}` : ", ";
  const padding = slot.style.isPadded && isMap(node) ? " " : "";
  const firstGap = gaps[0] ?? padding;
  const lastGap = ends.length === 0 ? padding : text.slice(ends.at(-1), close - 1);
  let result = "";
  entries.forEach((entry, index) => {
    if (!("kept" in entry)) {
      const value = entryText(entry, slot.style, isMultiline ? lines.column(first) : undefined);
      result += `${index === 0 ? firstGap : newGap}${value}`;
      return;
    }
    const { kept } = entry;
    const gap = index === 0 ? firstGap : kept === 0 ? newGap : (gaps[kept] ?? newGap);
    result += gap + spliced(text, entry.splices, starts[kept], ends[kept]);
  });
  return [{ from: open + 1, to: close - 1, text: `${result}${lastGap}` }];
}

type NewEntry = Exclude<Entry, { readonly kept: number }>;

/** @param column of the entry, if it may have several lines */
function entryText(entry: NewEntry, style: YamlStyle, column?: number): string {
  const { key, value, text } = entry;
  const written = text ?? (style.isJson && column !== undefined ? jsonText(value, column) : flowText(value, style));
  return key === undefined ? written : memberText(key, written, style);
}

function jsonText(value: YamlContent, column: number): string {
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0) return flowText(value, jsonStyle);
  const inner = " ".repeat(column + 2);
  const members = Array.isArray(value)
    ? value.map((item) => jsonText(item, column + 2))
    : Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${jsonText(member, column + 2)}`);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  return `${open}\n${members.map((member) => `${inner}${member}`).join(",\n")}\n${" ".repeat(column)}${close}`;
}

const jsonStyle: YamlStyle = {
  isJson: true,
  lineBreak: "\n",
  indent: 2,
  listIndent: 2,
  isPadded: false,
  isFlow: () => true,
};

function blockEntries(slot: Slot, node: Collection, entries: readonly Entry[]): readonly Splice[] {
  const { text } = slot.file.source;
  const lines = new Lines(text);
  const starts = node.items.map((_, index) => startOf(node, index));
  const [first = 0] = starts;
  const column = lines.column(first);
  const firsts = starts.map((start) => firstLine(lines, start));
  const afters = starts.map((_, index) => lineAfter(text, lines, endOf(node, index, text), column));
  const kept = new Set(entries.flatMap((entry) => ("kept" in entry ? [entry.kept] : [])));
  const isInline = !lines.isFirst(first);
  if (isInline && !kept.has(0)) throw new NotEditable("the first entry shares its line");
  const splices: Splice[] = [];
  let position = isInline ? undefined : (firsts[0] ?? 0);
  let added: string[] = [];
  const flush = (): void => {
    if (added.length === 0) return;
    if (position === undefined) throw new NotEditable("an entry before one that shares its line");
    splices.push(insertion(slot, position, added));
    added = [];
  };
  for (const entry of entries) {
    if ("kept" in entry) {
      flush();
      splices.push(...entry.splices);
      position = afters[entry.kept];
    } else {
      added.push(...entryLines(entry, slot).map((line) => indented(line, column)));
    }
  }
  flush();
  starts.forEach((_, index) => {
    if (!kept.has(index)) splices.push({ from: firsts[index] ?? 0, to: afters[index] ?? 0, text: "" });
  });
  return splices;
}

function entryLines(entry: NewEntry, { style, key }: Slot): readonly string[] {
  const { value, text } = entry;
  if (text !== undefined) return [entry.key === undefined ? `- ${text}` : memberText(entry.key, text, style)];
  return entry.key === undefined ? itemLines(value, `${key}[]`, style) : memberLines(entry.key, value, style);
}

/** Returns the insertion of lines at the start of a line, or at the end of the text. */
function insertion({ file, style }: Slot, position: number, added: readonly string[]): Splice {
  const { text } = file.source;
  const isOpenEnded = position === text.length && position > 0 && text[position - 1] !== "\n";
  const joined = added.join(style.lineBreak);
  return {
    from: position,
    to: position,
    text: isOpenEnded ? `${style.lineBreak}${joined}` : `${joined}${style.lineBreak}`,
  };
}

/** Returns the splice that renames the key of a pair. */
export function withKey(slot: Slot, index: number, key: string): readonly Splice[] {
  const { key: node } = (slot.node as YAMLMap<Node, Node | null>).items[index] as Pair<Node, Node | null>;
  const [from, to] = rangeOf(node);
  const type = isScalar(node) ? (node.type as Scalar.Type | undefined) : undefined;
  return [{ from, to, text: scalarText(key, slot.style, type) }];
}

// ---------------------------------------------------------------- changes of values

/** Returns the splices that replace a value. */
export function withValue(slot: Slot, value: YamlContent): readonly Splice[] {
  const { holder, file, style, key } = slot;
  const { text } = file.source;
  const lines = new Lines(text);
  const start = valueStart(slot);
  const end = valueEnd(slot.node, text);
  if (holder?.isFlow || style.isJson) {
    if (start === undefined || end === undefined) throw new NotEditable("a value without text in flow style");
    const written = style.isJson ? jsonText(value, jsonColumn(lines, text, start)) : flowText(value, style);
    return [{ from: start, to: end, text: written }];
  }
  const isMultiline = isBlock(value, key, style);
  if (holder === undefined) return fileValue(slot, value, isMultiline);
  const indicator = indicatorEnd(holder.node, holder.index);
  const written = isMultiline ? "" : inlineText(slot, value, end === undefined ? "" : text.slice(end, lines.end(end)));
  if (start === undefined || end === undefined) {
    if (!isMultiline) return [{ from: indicator, to: indicator, text: ` ${written}` }];
    return [blockBelow(slot, lines, value, indicator)];
  }
  const isBlockNow = isCollection(slot.node) && !slot.node.flow;
  const isOnIndicatorLine = lines.start(start) === lines.start(indicator);
  if (isMap(holder.node)) {
    if (isMultiline && isBlockNow) return [inPlace(lines, slot, value, start, end)];
    if (isMultiline) return [{ from: indicator, to: end, text: "" }, blockBelow(slot, lines, value, end)];
    if (isOnIndicatorLine && !isBlockNow) return [{ from: start, to: end, text: written }];
    // The text between the key and its block may have comments and anchors, which stay.
    const above = lines.end(lines.start(start) - (text[lines.start(start) - 2] === "\r" ? 2 : 1));
    return [
      { from: indicator, to: indicator, text: ` ${written}` },
      { from: Math.min(above, start), to: end, text: "" },
    ];
  }
  return [isMultiline ? inPlace(lines, slot, value, start, end) : { from: start, to: end, text: written }];
}

const jsonColumn = (lines: Lines, text: string, offset: number): number =>
  /^\s*/.exec(text.slice(lines.start(offset), offset))?.[0].length ?? 0;

function fileValue(slot: Slot, value: YamlContent, isMultiline: boolean): readonly Splice[] {
  const { file, style, key } = slot;
  const { text } = file.source;
  const written = isMultiline ? blockLines(value, key, style).join(style.lineBreak) : flowText(value, style);
  const start = valueStart(slot);
  const end = valueEnd(slot.node, text);
  if (start !== undefined && end !== undefined) return [{ from: start, to: end, text: written }];
  return [insertion(slot, text.length, written.split(style.lineBreak))];
}

/** Returns a text on one line or, if the old value was a block scalar, as one. */
function inlineText(slot: Slot, value: YamlContent, behind: string): string {
  const { node, style, holder } = slot;
  const type = isScalar(node) ? (node.type as Scalar.Type | undefined) : undefined;
  if (typeof value !== "string") return flowText(value, style);
  const isBlockText = (isScalar(node) && isBlockScalar(node)) || value.includes("\n");
  if (holder !== undefined && behind.trim() === "" && isBlockText) {
    const column = new Lines(slot.file.source.text).column(startOf(holder.node, holder.index));
    const [first = "", ...rest] = memberLines("x", value, style);
    if (rest.length > 0) {
      return [first.slice("x: ".length), ...rest.map((line) => indented(line, column))].join(style.lineBreak);
    }
  }
  return scalarText(value, style, type);
}

function inPlace(lines: Lines, { key, style }: Slot, value: YamlContent, from: number, to: number): Splice {
  const column = lines.column(from);
  const written = blockLines(value, key, style).map((line, index) => (index === 0 ? line : indented(line, column)));
  return { from, to, text: written.join(style.lineBreak) };
}

/** Returns the insertion of a block below the line of its key. */
function blockBelow(slot: Slot, lines: Lines, value: YamlContent, offset: number): Splice {
  const { holder, style, key } = slot;
  if (holder === undefined) throw new NotEditable("no key");
  const column = lines.column(startOf(holder.node, holder.index));
  const columns = isMap(holder.node) ? (Array.isArray(value) ? style.listIndent : style.indent) : 2;
  const written = blockLines(value, key, style).map((line) => indented(line, column + columns));
  const end = lines.end(offset);
  return { from: end, to: end, text: `${style.lineBreak}${written.join(style.lineBreak)}` };
}

/**
 * Returns the splices that replace aliases of values that others change by their present text, so that only the value
 * with the anchor changes.
 */
export function withoutStaleAliases(file: YamlFile, style: YamlStyle, splices: readonly Splice[]): readonly Splice[] {
  const found: Splice[] = [];
  const walk = (node: unknown): void => {
    if (isAlias(node)) {
      const target = node.resolve(file.document);
      const [from, to] = rangeOf(node);
      const isChanged = target?.range && splices.some((each) => overlaps(each, target as Node));
      const isReplaced = splices.some((each) => each.from <= from && each.to >= to);
      if (isChanged && !isReplaced) found.push({ from, to, text: flowText(target.toJS(file.document), style) });
      return;
    }
    if (isMap<Node, Node | null>(node)) for (const { value } of node.items) walk(value);
    if (isSeq(node)) node.items.forEach(walk);
  };
  if (file.source.text.includes("*")) walk(file.document.contents);
  return [...splices, ...found];
}

function overlaps({ from, to }: Splice, node: Node): boolean {
  const [start, end] = rangeOf(node);
  return from < end && to > start ? true : from === to && from >= start && from <= end;
}
