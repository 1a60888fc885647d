/** Finds the GraphQL documents in templates of TypeScript and JavaScript that have the tag `gql` or `graphql`. */
import { extname } from "node:path";
import type { ts } from "ts-morph";

/** Endings of files that may contain templates. */
export const sourceEndings = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"];

const tags: ReadonlySet<string> = new Set(["gql", "graphql"]);
/** Matches each file with a template. Others are not parsed. */
const candidate = /\b(?:gql|graphql)\b/;

export interface TaggedDocuments {
  /** Texts as long as the file: spaces stand for everything outside the template, so that positions are the file's. */
  readonly texts: readonly string[];
  readonly problems: readonly TemplateProblem[];
}

interface TemplateProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/**
 * Reads the documents of tagged templates, and of calls with one template, such as ``graphql(`…`)``. Interpolations
 * between definitions are left out: they add fragments, which all files share. Others are problems.
 * @param file the path, whose ending decides about the syntax
 */
export async function taggedDocuments(text: string, file: string): Promise<TaggedDocuments> {
  const texts: string[] = [];
  const problems: TemplateProblem[] = [];
  if (!candidate.test(text)) return { texts, problems };
  const { ts: compiler } = await import("ts-morph");
  const kind = /^\.(?:tsx|jsx)$/.test(extname(file)) ? compiler.ScriptKind.TSX : scriptKind(compiler, file);
  const tree = compiler.createSourceFile(file, text, compiler.ScriptTarget.ESNext, false, kind);
  const refuse = (position: number, message: string): void => {
    const { line, character } = tree.getLineAndCharacterOfPosition(position);
    problems.push({ line: line + 1, column: character + 1, message });
  };
  const read = (template: ts.TemplateLiteral): void => {
    const parts = partsOf(compiler, template, tree);
    const escaped = parts.find(([start, end]) => text.slice(start, end).includes("\\"));
    if (escaped !== undefined) {
      const position = text.indexOf("\\", escaped[0]);
      refuse(position, "escape sequences in a template are not supported; move the document into a .graphql file");
      return;
    }
    let before = "";
    for (const [index, [start, end]] of parts.entries()) {
      before += text.slice(start, end);
      if (index < parts.length - 1 && !endsBetweenDefinitions(before)) {
        const remedy = "spread the fragment by its name, and interpolate it before or after the definitions";
        refuse(end, `an interpolation inside of a definition is not supported; ${remedy}`);
        return;
      }
    }
    texts.push(onlyParts(text, parts));
  };
  const visit = (node: ts.Node): void => {
    if (compiler.isTaggedTemplateExpression(node) && isTag(compiler, node.tag)) read(node.template);
    else if (compiler.isCallExpression(node) && isTag(compiler, node.expression)) {
      const [only, ...others] = node.arguments;
      if (only !== undefined && others.length === 0 && compiler.isTemplateLiteral(only)) read(only);
    }
    compiler.forEachChild(node, visit);
  };
  visit(tree);
  return { texts, problems };
}

function scriptKind(compiler: typeof ts, file: string): ts.ScriptKind {
  // JSX is common in .js files, and `<T>value` is not.
  return /ts$/.test(extname(file)) ? compiler.ScriptKind.TS : compiler.ScriptKind.JSX;
}

const isTag = (compiler: typeof ts, node: ts.Expression): boolean => compiler.isIdentifier(node) && tags.has(node.text);

type Part = readonly [start: number, end: number];

/** Returns the ranges of a template's texts between its interpolations. */
function partsOf(compiler: typeof ts, template: ts.TemplateLiteral, tree: ts.SourceFile): readonly Part[] {
  if (compiler.isNoSubstitutionTemplateLiteral(template)) return [[template.getStart(tree) + 1, template.end - 1]];
  const { head, templateSpans: spans } = template;
  const first: Part = [head.getStart(tree) + 1, head.end - 2];
  return [
    first,
    ...spans.map(({ literal }): Part => {
      const isLast = compiler.isTemplateTail(literal);
      return [literal.getStart(tree) + 1, literal.end - (isLast ? 1 : 2)];
    }),
  ];
}

/** Returns true if a beginning of a document ends before, between or after definitions. */
function endsBetweenDefinitions(text: string): boolean {
  const bare = text.replace(/"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"|#[^\n]*/g, "");
  const depth = [...bare].reduce((sum, each) => sum + (each === "{" ? 1 : each === "}" ? -1 : 0), 0);
  return depth === 0 && /(?:^|\})\s*$/.test(bare);
}

const blank = (text: string): string => text.replace(/[^\n\r]/g, " ");

function onlyParts(text: string, parts: readonly Part[]): string {
  let result = "";
  let position = 0;
  for (const [start, end] of parts) {
    result += blank(text.slice(position, start)) + text.slice(start, end);
    position = end;
  }
  return result;
}
