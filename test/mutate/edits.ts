/** Small edits of a TypeScript file that tests should detect. Equal texts yield equal lists. */
import { ts } from "ts-morph";

export const editKinds = ["condition", "operator", "statement", "constant"] as const;

export interface Edit {
  readonly kind: (typeof editKinds)[number];
  /** Path relative to the repository. */
  readonly file: string;
  /** Line number, from 1. */
  readonly line: number;
  /** Offset in characters. */
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
}

const swapped: Readonly<Record<string, string>> = {
  "===": "!==",
  "!==": "===",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "&&": "||",
  "||": "&&",
  "+": "-",
  "-": "+",
};

/** Returns all edits of a file in the order of their positions. */
export function editsOf(file: string, text: string): readonly Edit[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const edits: Edit[] = [];
  const add = (kind: Edit["kind"], node: ts.Node, after: string): void => {
    const start = node.getStart(source);
    const line = source.getLineAndCharacterOfPosition(start).line + 1;
    edits.push({ kind, file, line, start, end: node.getEnd(), before: node.getText(source), after });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || isInternalError(node)) return;
    const condition = conditionOf(node);
    if (condition !== undefined) add("condition", condition, `!(${condition.getText(source)})`);
    if (ts.isBinaryExpression(node) && isSwappable(node)) {
      add("operator", node.operatorToken, swapped[node.operatorToken.getText(source)] ?? "");
    }
    if (isStatement(node)) add("statement", node, ";");
    const constant = otherConstant(node);
    if (constant !== undefined) add("constant", node, constant);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return edits.sort((one, other) => one.start - other.start || one.kind.localeCompare(other.kind));
}

export const applied = (text: string, { start, end, after }: Edit): string =>
  text.slice(0, start) + after + text.slice(end);

/** Returns true for `new Error(…)` and `invariant(…)`, which report bugs of the program: no caller relies on them. */
const isInternalError = (node: ts.Node): boolean =>
  ts.isExpressionStatement(node)
    ? isInternalError(node.expression)
    : (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
      ts.isIdentifier(node.expression) &&
      /^((Type)?Error|invariant)$/.test(node.expression.text);

function conditionOf(node: ts.Node): ts.Expression | undefined {
  if (ts.isIfStatement(node) || ts.isWhileStatement(node)) return node.expression;
  return ts.isConditionalExpression(node) ? node.condition : undefined;
}

function isSwappable({ operatorToken, left, right }: ts.BinaryExpression): boolean {
  const operator = operatorToken.getText();
  if (!(operator in swapped)) return false;
  return operator !== "+" || !(isText(left) || isText(right));
}

const isText = (node: ts.Node): boolean => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);

/** Returns true for a call, an assignment, or a guard that leaves the function early. */
function isStatement(node: ts.Node): boolean {
  if (ts.isExpressionStatement(node)) return true;
  if (!ts.isIfStatement(node) || node.elseStatement !== undefined) return false;
  const { thenStatement: then } = node;
  return ts.isReturnStatement(then) || ts.isThrowStatement(then) || ts.isContinueStatement(then);
}

function otherConstant(node: ts.Node): string | undefined {
  if (node.kind === ts.SyntaxKind.TrueKeyword) return "false";
  if (node.kind === ts.SyntaxKind.FalseKeyword) return "true";
  if (ts.isNumericLiteral(node)) return `(${node.text} + 1)`;
  if (!ts.isStringLiteral(node) || isName(node)) return undefined;
  return node.text === "" ? '"edited"' : '""';
}

const isName = ({ parent }: ts.Node): boolean => ts.isPropertyAssignment(parent) && ts.isStringLiteral(parent.name);
