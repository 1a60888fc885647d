/** Reads the GraphQL documents of a front end, and checks them against the schema of a role. */

import { readFile, realpath, stat } from "node:fs/promises";
import { extname, join, relative, resolve, sep } from "node:path";
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  Source,
  specifiedRules,
  validate,
} from "graphql";
import { glob } from "tinyglobby";
import type { ClientFragment, ClientOperation, Fragments } from "../../../compiler/5-plan/client.ts";
import { messageOf } from "../../values/message-of.ts";
import { type Problem, problem, problemAt } from "../problem.ts";
import { sourceEndings, taggedDocuments } from "./tagged-templates.ts";

/** Limits of one run, against patterns that match more than documents. */
const maxFiles = 10_000;
const maxFileBytes = 1024 * 1024;
const maxErrors = 50;

const endings = [".graphql", ".gql"];
const allEndings: readonly string[] = [...endings, ...sourceEndings];

export interface CheckedDocuments {
  readonly operations: readonly ClientOperation[];
  readonly fragments: readonly ClientFragment[];
  /** Errors with their places; the other lists are empty if there are any. */
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/**
 * Reads the files that match patterns below a folder, and checks them as one document: fragments are shared by all
 * files.
 */
export async function readDocuments(
  folder: string,
  patterns: readonly string[],
  { schema, role }: { readonly schema: GraphQLSchema; readonly role: string },
): Promise<CheckedDocuments> {
  const { definitions, problems, warnings } = await parsedFiles(folder, patterns);
  const failed = (found: readonly Problem[]) => ({ operations: [], fragments: [], problems: found, warnings });
  if (problems.length > 0) return failed(problems);
  const document: DocumentNode = { kind: Kind.DOCUMENT, definitions };
  const errors = validate(schema, document, rules, { maxErrors });
  if (errors.length > 0) return failed(errors.map((error) => problemOf(error, ` (role ${role})`)));
  const fragments: Fragments = new Map(
    definitions.flatMap((each) => (each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each] as const] : [])),
  );
  return {
    operations: definitions.flatMap((definition) =>
      definition.kind === Kind.OPERATION_DEFINITION ? [operationOf(definition, fragments)] : [],
    ),
    fragments: [...fragments.values()].map((definition) => ({
      definition,
      fragments,
      label: `fragment ${definition.name.value} in ${fileOf(definition)}`,
    })),
    problems,
    warnings,
  };
}

type Definition = OperationDefinitionNode | FragmentDefinitionNode;

const fileOf = ({ loc }: Definition): string => loc?.source.name ?? "";

function operationOf(definition: OperationDefinitionNode, fragments: Fragments): ClientOperation {
  const name = definition.name?.value ?? "";
  return { name, definition, fragments, label: `${definition.operation} ${name} in ${fileOf(definition)}` };
}

/** Fragments may be used only in files that the patterns do not match. */
const rules = specifiedRules.filter(({ name }) => name !== "NoUnusedFragmentsRule");

// ---------------------------------------------------------------- files

interface ParsedFiles {
  readonly definitions: readonly Definition[];
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

async function parsedFiles(folder: string, patterns: readonly string[]): Promise<ParsedFiles> {
  const files = (await filesOf(folder, patterns)).map((file) => relative(folder, file).split(sep).join("/"));
  if (files.length > maxFiles) {
    const message = `${files.length} files match ${patterns.join(" ")}, more than ${maxFiles}: narrow the patterns`;
    return { definitions: [], problems: [problem("error", "invalid-document", message)], warnings: [] };
  }
  const warnings = files.length === 0 ? [problem("warning", "note", `no file matches ${patterns.join(" ")}`)] : [];
  const root = await realpath(folder);
  const problems: Problem[] = [];
  const definitions: Definition[] = [];
  for (const file of files) {
    const read = await textOf(root, folder, file);
    if ("problem" in read) {
      problems.push(wrong(`${file}:1:1`, read.problem));
      continue;
    }
    const { texts, problems: refused } = await documentsIn(read.text, file);
    problems.push(...refused);
    for (const text of texts) {
      try {
        for (const definition of parse(new Source(text, file)).definitions) {
          const found = unsupported(definition);
          if (found !== undefined) problems.push(found);
          else definitions.push(definition as Definition);
        }
      } catch (error) {
        if (!(error instanceof GraphQLError)) throw error;
        problems.push(problemOf(error));
      }
    }
  }
  return { definitions, problems, warnings };
}

interface FoundDocuments {
  readonly texts: readonly string[];
  readonly problems: readonly Problem[];
}

/** Returns the text of a file with one document, or those of the templates of a source file. */
async function documentsIn(text: string, file: string): Promise<FoundDocuments> {
  if (endings.includes(extname(file))) return { texts: [text], problems: [] };
  const { texts, problems } = await taggedDocuments(text, file);
  return { texts, problems: problems.map(({ line, column, message }) => wrong(`${file}:${line}:${column}`, message)) };
}

/** Returns the paths of files that match, in order. Symbolic links and `node_modules` are left out. */
export async function filesOf(folder: string, patterns: readonly string[]): Promise<readonly string[]> {
  const options = { followSymbolicLinks: false, expandDirectories: false, ignore: ["**/node_modules/**"] };
  const found = await glob([...patterns], { cwd: resolve(folder), ...options });
  return found.sort().map((file) => join(folder, file));
}

/** @param root the folder without symbolic links */
async function textOf(
  root: string,
  folder: string,
  file: string,
): Promise<{ readonly text: string } | { readonly problem: string }> {
  if (!allEndings.includes(extname(file))) {
    return { problem: `expected a file with one of the endings ${allEndings.join(", ")}` };
  }
  try {
    const path = await realpath(join(folder, file));
    if (path !== resolve(root, file)) return { problem: "a folder of the path is a symbolic link: name its target" };
    const { size } = await stat(path);
    if (size > maxFileBytes) return { problem: `the file has ${size} bytes, more than ${maxFileBytes}` };
    return { text: await readFile(path, "utf8") };
  } catch (error) {
    return { problem: `cannot read the file: ${messageOf(error)}` };
  }
}

// ---------------------------------------------------------------- problems

const wrong = (place: string, message: string): Problem =>
  problemAt(place, { severity: "error", code: "invalid-document", message });

function unsupported(definition: DocumentNode["definitions"][number]): Problem | undefined {
  const { kind, loc } = definition;
  if (kind === Kind.FRAGMENT_DEFINITION || (kind === Kind.OPERATION_DEFINITION && definition.name)) return undefined;
  const place = `${loc?.source.name}:${loc?.startToken.line}:${loc?.startToken.column}`;
  if (kind !== Kind.OPERATION_DEFINITION) return wrong(place, "expected operations and fragments, but found a type");
  return wrong(place, `the ${definition.operation} has no name, which its types are named after`);
}

/** Formats an error of graphql-js with its first place, and its other places in parentheses. */
function problemOf({ message, nodes, source, locations }: GraphQLError, suffix = ""): Problem {
  const ofNodes = (nodes ?? []).flatMap(({ loc }) =>
    loc ? `${loc.source.name}:${loc.startToken.line}:${loc.startToken.column}` : [],
  );
  const ofSource = (locations ?? []).map(({ line, column }) => `${source?.name}:${line}:${column}`);
  const [place = "error", ...others] = ofNodes.length > 0 ? ofNodes : ofSource;
  const also = others.length === 0 ? "" : ` (also ${others.join(", ")})`;
  return wrong(place, `${message.replace(/\.$/, "")}${also}${suffix}`);
}
