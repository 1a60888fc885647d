/**
 * Formats a statement for readers. Changes only white space between tokens, which preserves the meaning. Statements
 * with hand-written comments or dollar quotes are unchanged.
 */
import { lineWidth } from "../4-emit/comments.ts";

const indentation = "  ";

/** @param quoted the dialect's sticky expression for quoted text of any kind */
export function sqlLines(text: string, quoted: RegExp): string {
  const items = parse(text, quoted);
  return items ? layOut(items, "") : text;
}

// ---------------------------------------------------------------- tokens

/** A token, or a group in parentheses. */
interface Item {
  /** The text on one line. */
  readonly text: string;
  /** True if a blank precedes it. */
  readonly isApart: boolean;
  /** The items in the parentheses of a group. */
  readonly inside?: readonly Item[];
}

const blank = /\s+/y;
const word = /[\p{L}_][\p{L}\p{N}_$]*/uy;
const handWritten = /--|\/\*|\$(?:[A-Za-z_]\w*)?\$/y;

/** Splits a statement into items. Returns `undefined` if the statement must stay unchanged. */
function parse(text: string, quoted: RegExp): readonly Item[] | undefined {
  const open: { readonly isApart: boolean; readonly items: Item[] }[] = [];
  let items: Item[] = [];
  let isApart = false;
  for (let at = 0; at < text.length; ) {
    const space = matchAt(blank, text, at);
    if (space !== undefined) {
      isApart = true;
      at += space.length;
      continue;
    }
    if (matchAt(handWritten, text, at) !== undefined) return undefined;
    const token = matchAt(quoted, text, at) ?? matchAt(word, text, at) ?? text.charAt(at);
    at += token.length;
    if (token === "(") {
      open.push({ isApart, items });
      items = [];
    } else if (token === ")") {
      const outer = open.pop();
      if (outer === undefined) return undefined;
      outer.items.push({ text: `(${onOneLine(items)})`, isApart: outer.isApart, inside: items });
      items = outer.items;
    } else if (quotes.has(token)) {
      return undefined;
    } else {
      items.push({ text: token, isApart });
    }
    isApart = false;
  }
  return open.length === 0 ? items : undefined;
}

/** Quotes that the dialect's expression does not match begin unterminated text. */
const quotes: ReadonlySet<string> = new Set(["'", '"', "`"]);

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

const onOneLine = (items: readonly Item[]): string =>
  items.map(({ text, isApart }, i) => (isApart && i > 0 ? ` ${text}` : text)).join("");

// ---------------------------------------------------------------- lines

/** Puts clauses, list items and conditions on separate lines unless they fit on one. */
function layOut(items: readonly Item[], margin: string, inPairs = false): string {
  const line = onOneLine(items);
  if (margin.length + line.length <= lineWidth) return line;
  const inner = margin + indentation;
  const clauses = splitBefore(items, beginsClause);
  if (clauses.length > 1) return clauses.map((clause) => layOut(clause, margin)).join(`\n${margin}`);
  const { keyword, rest } = afterKeyword(items);
  const listed = inPairs ? pairs(listItems(rest)) : listItems(rest);
  if (listed.length > 1) {
    const indent = keyword === "" ? margin : inner;
    const lines = listed.map((item) => (inPairs ? breakParentheses(item, indent) : layOut(item, indent)));
    return keyword === "" ? lines.join(`\n${margin}`) : [keyword, ...lines].join(`\n${inner}`);
  }
  const conditions = splitBefore(items, ({ text }) => text === "and" || text === "or");
  return conditions.map((each, i) => breakParentheses(each, i === 0 ? margin : inner)).join(`\n${inner}`);
}

/** Prints items on one line, breaking inside parentheses that do not fit. */
function breakParentheses(items: readonly Item[], margin: string): string {
  let text = "";
  let column = margin.length;
  for (const [i, item] of items.entries()) {
    const next = items.findIndex((other, j) => j > i && other.inside !== undefined);
    const behind = onOneLine(items.slice(i + 1, next === -1 ? items.length : next));
    const start = item.isApart && i > 0 ? " " : "";
    const fits = column + start.length + item.text.length + behind.length <= lineWidth;
    if (item.inside === undefined || item.inside.length === 0 || fits) {
      text += start + item.text;
      column += start.length + item.text.length;
      continue;
    }
    const inner = margin + indentation;
    text += `${start}(\n${inner}${layOut(item.inside, inner, takesPairs.has(items[i - 1]?.text ?? ""))}\n${margin})`;
    column = margin.length + 1;
  }
  return text;
}

/** Functions whose arguments alternate between names and values. */
const takesPairs: ReadonlySet<string> = new Set(["json_build_object", "jsonb_build_object"]);

const clauseWords: ReadonlySet<string> = new Set(
  "select from where having limit offset fetch returning output values set union except intersect".split(" "),
);
const joinWords: ReadonlySet<string> = new Set("left right full inner cross outer join".split(" "));
/** Clauses that begin with two words. */
const pairsOfWords: ReadonlySet<string> = new Set(["group by", "order by", "on conflict", "for json"]);

function beginsClause({ text, isApart }: Item, previous: Item | undefined, next: Item | undefined): boolean {
  if (previous?.text === ";") return true;
  if (!isApart) return false;
  if (clauseWords.has(text)) return previous?.text !== "distinct";
  if (joinWords.has(text)) return !joinWords.has(previous?.text ?? "") && next?.inside === undefined;
  return pairsOfWords.has(`${text} ${next?.text}`);
}

/** Splits the keyword off a clause. */
function afterKeyword(items: readonly Item[]): { readonly keyword: string; readonly rest: readonly Item[] } {
  const [first, second] = items;
  if (first === undefined) return { keyword: "", rest: items };
  const isPair = second !== undefined && pairsOfWords.has(`${first.text} ${second.text}`);
  if (!isPair && !clauseWords.has(first.text)) return { keyword: "", rest: items };
  const length = isPair ? 2 : 1;
  return { keyword: onOneLine(items.slice(0, length)), rest: items.slice(length) };
}

/** Splits a list after its commas. */
function listItems(items: readonly Item[]): readonly (readonly Item[])[] {
  return splitBefore(items, (_, previous) => previous?.text === ",");
}

function pairs(items: readonly (readonly Item[])[]): readonly (readonly Item[])[] {
  return items.flatMap((item, i) => (i % 2 === 0 ? [[...item, ...(items[i + 1] ?? [])]] : []));
}

function splitBefore(
  items: readonly Item[],
  begins: (item: Item, previous: Item | undefined, next: Item | undefined) => boolean,
): readonly (readonly Item[])[] {
  const parts: Item[][] = [];
  for (const [i, item] of items.entries()) {
    const last = parts.at(-1);
    if (last === undefined || begins(item, items[i - 1], items[i + 1])) parts.push([item]);
    else last.push(item);
  }
  return parts;
}
