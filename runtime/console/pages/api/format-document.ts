/** Layout of operations. graphql-js drops comments when it prints: they are inserted again beside the same tokens. */
import { Lexer, parse, print, Source, type Token, TokenKind } from "graphql";
import { isBlank } from "./blank.ts";
import { applyEdits, indentAt, insertion, isFirstInLine, lineStart } from "./explorer/text-edits.ts";

/** @throws GraphQLError if the document has a syntax error */
export function formatDocument(text: string): string {
  if (isBlank(text)) return text;
  const plain = print(parse(text));
  // The printer omits the keyword of an anonymous query.
  const formatted = withComments(text, plain.replace(/^\{/gm, "query {"));
  // A line of a block string may begin with a bracket, too.
  return print(parse(formatted)) === plain ? formatted : withComments(text, plain);
}

function tokensOf(text: string): readonly Token[] {
  const lexer = new Lexer(new Source(text));
  const first = lexer.token;
  while (lexer.advance().kind !== TokenKind.EOF);
  const tokens: Token[] = [];
  for (let token = first.next; token; token = token.next) tokens.push(token);
  return tokens;
}

const isKeyword = ({ kind, value }: Token): boolean => kind === TokenKind.NAME && value === "query";

function withComments(text: string, formatted: string): string {
  const tokens = tokensOf(text);
  const printed = tokensOf(formatted);
  const insertions = new Map<number, string>();
  const insert = (at: number, inserted: string): void => {
    insertions.set(at, (insertions.get(at) ?? "") + inserted);
  };
  let index = 0;
  let previous: Token | undefined;
  for (const token of tokens) {
    let counterpart = printed[index];
    if (token.kind === TokenKind.COMMENT) {
      const comment = `#${token.value}`;
      const before = index > 0 ? printed[index - 1] : undefined;
      const isLast = !counterpart || counterpart.kind === TokenKind.EOF;
      const isBehind = previous?.line === token.line && (isLast || before?.line !== counterpart?.line);
      if (isBehind && before) insert(lineEnd(formatted, before.end), ` ${comment}`);
      else if (!counterpart || isLast) insert(formatted.length, `\n${comment}`);
      else {
        // A block string before the token in its line begins on an earlier line, and must not contain the comment.
        const { start } = firstInLine(printed, index) ?? counterpart;
        insert(lineStart(formatted, start), `${indentOf(formatted, counterpart)}${comment}\n`);
      }
      continue;
    }
    // The keyword of a query that had none.
    if (counterpart && isKeyword(counterpart) && !isKeyword(token)) {
      index += 1;
      counterpart = printed[index];
    } else if (counterpart && isKeyword(token) && !isKeyword(counterpart)) {
      continue;
    }
    previous = token;
    index += 1;
  }
  return applyEdits(
    formatted,
    [...insertions].map(([at, inserted]) => insertion(at, inserted)),
  );
}

/** Returns the first of the tokens that the token shares lines with. */
function firstInLine(tokens: readonly Token[], index: number): Token | undefined {
  let first = index;
  while (first > 0 && endLine(tokens[first - 1]) === tokens[first]?.line) first -= 1;
  return tokens[first];
}

const endLine = (token: Token | undefined): number =>
  (token?.line ?? 0) + (token?.kind === TokenKind.BLOCK_STRING ? (token.value.match(/\n/g)?.length ?? 0) + 2 : 0);

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

/** Returns the indentation of a comment before a token. A comment before a closing bracket belongs to the content. */
function indentOf(text: string, { kind, start }: Token): string {
  const isClosing = kind === TokenKind.BRACE_R || kind === TokenKind.PAREN_R;
  return `${indentAt(text, start)}${isClosing && isFirstInLine(text, start) ? "  " : ""}`;
}
