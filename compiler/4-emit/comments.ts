/** Comments of generated files: the header, and prose before declarations. */
import { commentText } from "./escape.ts";

/** The longest line of generated code, where it can be broken at all. */
export const lineWidth = 100;

export interface Header {
  /** What of the metadata the file comes from. */
  readonly from: string;
  /** Hash of the file's IR. */
  readonly slice: string;
}

/** The first lines of a generated file, and an empty one. */
export function headerText(lineComment: "//" | "#", { from, slice }: Header): string {
  return [
    `${lineComment} Generated: change the metadata, not this file.`,
    `${lineComment} From   ${commentText(from)}`,
    `${lineComment} Slice  sha256:${slice}`,
    "",
    "",
  ].join("\n");
}

/** Paragraphs of prose as a doc comment, wrapped; nothing for none. */
export function docComment(paragraphs: readonly string[], margin = ""): string {
  const width = lineWidth - margin.length - " * ".length;
  const lines = paragraphs.flatMap((text) => wrap(commentText(text), width));
  const [only] = lines;
  if (only === undefined) return "";
  if (lines.length === 1 && `${margin}/** ${only} */`.length <= lineWidth) return `${margin}/** ${only} */\n`;
  return `${margin}/**\n${lines.map((line) => `${margin} * ${line}\n`).join("")}${margin} */\n`;
}

/** Breaks at blanks, and in JSON between members. A longer word gets a line of its own. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/(?<= )|(?<=[,[])(?=["{[])/)) {
    if (line !== "" && (line + word).trimEnd().length > width) {
      lines.push(line.trimEnd());
      line = "";
    }
    line += word;
  }
  return line === "" ? lines : [...lines, line.trimEnd()];
}
