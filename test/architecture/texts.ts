/** Texts for readers: comments, string literals with sentences, test names, and paragraphs of pages. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ts } from "ts-morph";

const root = join(import.meta.dirname, "../..");

export interface Text {
  /** `file:line` */
  readonly at: string;
  readonly kind: "docstring" | "comment" | "test name" | "string" | "page";
  /** Text on one line, without comment markers. */
  readonly text: string;
}

/**
 * Rooms whose strings are labels, help texts and reports. Strings of other rooms are SQL, or messages and names of the
 * HTTP API, which are fixed for compatibility.
 */
const spokenRooms = /^runtime\/(cli|config|console|server)\//;

/** Returns comments, test names, and strings of at least three words in rooms whose strings are for readers. */
export function textsOfCode(file: string): readonly Text[] {
  const content = readFileSync(join(root, file), "utf8");
  const source = ts.createSourceFile(file, content, ts.ScriptTarget.Latest, true);
  const found: Text[] = [];
  const commentsSeen = new Set<number>();
  const add = (kind: Text["kind"], position: number, text: string) =>
    found.push({ at: `${file}:${source.getLineAndCharacterOfPosition(position).line + 1}`, kind, text: oneLine(text) });

  const visit = (node: ts.Node): void => {
    for (const { pos, end } of commentsBefore(content, node)) {
      if (commentsSeen.has(pos)) continue;
      commentsSeen.add(pos);
      const comment = content.slice(pos, end);
      add(comment.startsWith("/**") ? "docstring" : "comment", pos, withoutMarkers(comment));
    }
    if (ts.isStringLiteralLike(node) || ts.isJsxText(node) || ts.isTemplateHead(node) || isTemplatePart(node)) {
      if (isTestName(node)) add("test name", node.getStart(), node.text);
      else if (spokenRooms.test(file) && /\S+\s+\S+\s+\S/.test(node.text) && !ts.isImportDeclaration(node.parent))
        add("string", node.getStart(), node.text);
    }
    node.getChildren(source).forEach(visit);
  };
  visit(source);
  return found;
}

/** Returns paragraphs, list items, headings and table rows, without code blocks. */
export function textsOfPage(file: string): readonly Text[] {
  const found: Text[] = [];
  let isCode = false;
  let lines: string[] = [];
  let start = 0;
  const end = () => {
    if (lines.length > 0) found.push({ at: `${file}:${start}`, kind: "page", text: oneLine(lines.join(" ")) });
    lines = [];
  };
  readFileSync(join(root, file), "utf8")
    .split("\n")
    .forEach((line, index) => {
      if (/^\s*(```|~~~)/.test(line)) isCode = !isCode;
      else if (!isCode && line.trim() !== "" && !/^\s*([-*|#>]|\d+\.)/.test(line)) {
        if (lines.length === 0) start = index + 1;
        lines.push(line);
        return;
      }
      end();
      if (isCode || line.trim() === "" || line.trim().startsWith("```")) return;
      start = index + 1;
      lines = [line];
    });
  end();
  return found;
}

function commentsBefore(content: string, node: ts.Node): readonly ts.CommentRange[] {
  if (ts.isJsxText(node) || node.getChildCount() > 0) return [];
  return [
    ...(ts.getLeadingCommentRanges(content, node.pos) ?? []),
    ...(ts.getTrailingCommentRanges(content, node.end) ?? []),
  ];
}

function isTemplatePart(node: ts.Node): node is ts.TemplateMiddle | ts.TemplateTail {
  return ts.isTemplateMiddle(node) || ts.isTemplateTail(node);
}

/** Returns true for the first argument of `it`, `test` and `describe`, and of variants such as `it.each(…)`. */
function isTestName(node: ts.Node): boolean {
  const call = node.parent;
  if (!ts.isCallExpression(call) || call.arguments[0] !== node) return false;
  return /^(it|test|describe)\b/.test(call.expression.getText());
}

/** Returns the text on one line, without inline code, which is data and not English. */
function oneLine(text: string): string {
  return text
    .replace(/`[^`]*`/g, "``")
    .replace(/\s+/g, " ")
    .trim();
}

function withoutMarkers(comment: string): string {
  return comment.replace(/^\/\*\*?|\*\/$|^\/\//g, "").replace(/\n\s*\* ?/g, "\n");
}
