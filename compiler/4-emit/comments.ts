/** Comments of generated files: the header, and prose before declarations. */
import { commentText } from "./escape.ts";

/** The maximum length of a line of generated code that can be broken. */
export const lineWidth = 100;

export interface Header {
  /** The metadata objects that the file is generated from. */
  readonly from: string;
  /** Hash of the file's IR. */
  readonly slice: string;
}

/** Returns the header of a generated file, with an empty line after it. */
export function headerText(lineComment: "//" | "#", { from, slice }: Header): string {
  return [
    `${lineComment} Generated: change the metadata, not this file.`,
    `${lineComment} From   ${commentText(from)}`,
    `${lineComment} Slice  sha256:${slice}`,
    "",
    "",
  ].join("\n");
}

/** Returns paragraphs as a wrapped doc comment; an empty string for none. */
export function docComment(paragraphs: readonly string[], margin = ""): string {
  const width = lineWidth - margin.length - " * ".length;
  const lines = paragraphs.flatMap((text) => wrap(commentText(text), width));
  const [only] = lines;
  if (only === undefined) return "";
  if (lines.length === 1 && `${margin}/** ${only} */`.length <= lineWidth) return `${margin}/** ${only} */\n`;
  return `${margin}/**\n${lines.map((line) => `${margin} * ${line}\n`).join("")}${margin} */\n`;
}

/** Wraps text at blanks, and at commas and brackets in JSON. A word longer than the width is not broken. */
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
