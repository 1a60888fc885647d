/**
 * The modules that a bundle could load at run time, found in its syntax: imports, calls of `require`, threads, native
 * code.
 */
import { isBuiltin } from "node:module";
import { ts } from "ts-morph";

/** Node's modules that run given code, or code found by name. */
const runsCode = /^(?:node:)?(?:child_process|cluster|inspector|module|repl|vm|wasi)(?:\/.*)?$/;
/** Other functions that load code from outside the bundle. */
const loader = /^(?:createRequire|dlopen|_load|_resolveFilename|registerHooks|importScripts)$/;
/** The bundler's names for `require`. */
const requireName = /^(?:__)?require\d*$/;

export interface BundleLoads {
  /** Relative paths of other files of the bundle. */
  readonly files: readonly string[];
  /** All loads except Node's harmless modules, with their lines. */
  readonly unbundled: readonly string[];
}

export function bundleLoads(code: string): BundleLoads {
  const source = ts.createSourceFile("bundle.mjs", code, ts.ScriptTarget.Latest, false, ts.ScriptKind.JS);
  const files: string[] = [];
  const unbundled: string[] = [];
  const report = (node: ts.Node): void => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    unbundled.push(`${line + 1}: ${node.getText(source).slice(0, 100)}`);
  };
  const loads = (node: ts.Node, specifier: ts.Node | undefined): void => {
    const text = specifier !== undefined && ts.isStringLiteralLike(specifier) ? specifier.text : "";
    if (text.startsWith("./")) files.push(text);
    else if (!(text.startsWith("node:") || isBuiltin(text)) || runsCode.test(text)) report(node);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) loads(node, node.moduleSpecifier);
    if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) loads(node, node.moduleSpecifier);
    if (ts.isCallExpression(node) && isLoading(node.expression)) loads(node, node.arguments[0]);
    if (ts.isNewExpression(node) && /Worker$/.test(node.expression.getText(source))) report(node);
    if (ts.isIdentifier(node) && loader.test(node.text)) report(node.parent ?? node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { files, unbundled };
}

function isLoading(called: ts.Expression): boolean {
  return called.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(called) && requireName.test(called.text));
}
