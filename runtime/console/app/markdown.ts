/** Reads the Markdown of the changelog: headings, paragraphs, nested lists, code, emphasis, and the texts of links. */

export interface Inline {
  readonly kind: "text" | "code" | "strong" | "emphasis";
  readonly text: string;
}

export interface Item {
  readonly inline: readonly Inline[];
  readonly items: readonly Item[];
}

export type Block =
  | { readonly kind: "heading"; readonly level: number; readonly inline: readonly Inline[] }
  | { readonly kind: "paragraph"; readonly inline: readonly Inline[] }
  | { readonly kind: "list"; readonly items: readonly Item[] };

/** Lines of one block, with those that continue an item joined to its first line. */
function blocksOf(text: string): readonly (readonly string[])[] {
  const blocks: string[][] = [[]];
  for (const line of text.split("\n")) {
    const block = blocks.at(-1) ?? [];
    if (line.trim() === "") blocks.push([]);
    else if (block.length === 0 || /^\s*- /.test(line)) block.push(line);
    else block.push(`${block.pop()} ${line.trim()}`);
  }
  return blocks.filter((block) => block.length > 0);
}

export const readMarkdown = (text: string): readonly Block[] => blocksOf(text).map(readBlock);

function readBlock(lines: readonly string[]): Block {
  const [first = ""] = lines;
  const heading = /^(#+) (.*)$/.exec(first);
  if (heading) return { kind: "heading", level: heading[1]?.length ?? 2, inline: readInline(heading[2] ?? "") };
  return first.startsWith("- ")
    ? { kind: "list", items: readItems(lines, 0) }
    : { kind: "paragraph", inline: readInline(lines.join(" ")) };
}

/** Returns the items with this indentation; deeper ones belong to the item before. */
function readItems(lines: readonly string[], indentation: number): readonly Item[] {
  const starts = lines.flatMap((line, index) => (indentationOf(line) <= indentation ? [index] : []));
  return starts.map((start, index) => {
    const inner = lines.slice(start + 1, starts[index + 1]);
    const items = inner.length === 0 ? [] : readItems(inner, indentationOf(inner[0] ?? ""));
    return { inline: readInline((lines[start] ?? "").trim().slice(2)), items };
  });
}

const indentationOf = (line: string): number => line.length - line.trimStart().length;

const marked = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|\[([^\]]+)\](?:\([^)]*\))?/g;

function readInline(text: string): readonly Inline[] {
  const parts: Inline[] = [];
  let end = 0;
  for (const match of text.matchAll(marked)) {
    const [whole, code, strong, emphasis, link = ""] = match;
    if (match.index > end) parts.push({ kind: "text", text: text.slice(end, match.index) });
    end = match.index + whole.length;
    if (code !== undefined) parts.push({ kind: "code", text: code });
    else if (strong !== undefined) parts.push({ kind: "strong", text: strong });
    else if (emphasis !== undefined) parts.push({ kind: "emphasis", text: emphasis });
    // The address of a link is that of a file, which the server does not have.
    else parts.push(...readInline(link));
  }
  if (end < text.length) parts.push({ kind: "text", text: text.slice(end) });
  return parts;
}
