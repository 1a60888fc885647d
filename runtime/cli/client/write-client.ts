/** Writes the TypeScript module of a front end: its documents and the saved operations, with the types of a role. */

import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parse, print, validate } from "graphql";
import {
  type ClientOperation,
  type ClientSettings,
  clientOperationOf,
  emitClient,
  usedFragments,
} from "../../../compiler/5-plan/client.ts";
import { type Environment, parseOptions } from "../../config/options.ts";
import { planOptions } from "../../control/analysis-options.ts";
import { EngineError } from "../../values/errors.ts";
import { messageOf } from "../../values/message-of.ts";
import { type Problem, problem } from "../problem.ts";
import { filesState } from "../project/changes.ts";
import type { Output } from "../project/output.ts";
import { replaceFile } from "../project/replace-file.ts";
import type { ClientModule } from "../project/settings.ts";
import { type CheckedDocuments, filesOf, readDocuments } from "./documents.ts";
import type { SchemaOfRole, SchemaSource } from "./schema-of-role.ts";

/** Returns a text that changes whenever a document of the modules is written, created or deleted. */
export async function documentsState(modules: readonly ClientModule[]): Promise<string> {
  const files: string[] = [];
  for (const { folder, documents } of modules) files.push(...(await filesOf(folder, documents)));
  return filesState(files);
}

/**
 * Writes modules, and prints the written files and all problems. A module with invalid documents keeps its previous
 * text.
 * @param environment contains the options of the server
 * @returns false if there were problems
 * @throws EngineError if a role has no permissions, or a file cannot be written or was not generated
 */
export async function writeClients(
  modules: readonly ClientModule[],
  source: SchemaSource,
  environment: Environment,
  output: Output,
): Promise<boolean> {
  const { stringifyNumbers } = planOptions(parseOptions({}, environment));
  const problems: Problem[] = [];
  output.problems(source.warnings);
  for (const module of modules) {
    const written = await writeClient(module, await source.of(module.role), { stringifyNumbers });
    output.problems(written.warnings);
    if ("problems" in written) problems.push(...written.problems);
    else if (written.isChanged)
      output.result(`wrote ${join(module.folder, module.out)}: ${counted(written.operations)}\n`);
    else output.remark(`${join(module.folder, module.out)} is up to date`);
  }
  output.problems(problems);
  return problems.length === 0;
}

const counted = (operations: number): string => `${operations} operation${operations === 1 ? "" : "s"}`;

interface WrittenClient {
  readonly operations: number;
  /** False if the file had the same text. */
  readonly isChanged: boolean;
  readonly warnings: readonly Problem[];
}

/** @throws EngineError if the file cannot be written, or was not generated */
async function writeClient(
  module: ClientModule,
  found: SchemaOfRole,
  { stringifyNumbers }: Pick<ClientSettings, "stringifyNumbers">,
): Promise<WrittenClient | Pick<CheckedDocuments, "problems" | "warnings">> {
  const { folder, documents, role, documentMode, scalars } = module;
  const read = documents.length === 0 ? noDocuments : await readDocuments(folder, documents, found);
  if (read.problems.length > 0) return { problems: read.problems, warnings: read.warnings };
  const saved = runnable(found);
  const { kept, replaced } = besides(read.operations, saved.operations);
  const operations = [...read.operations, ...kept];
  const origins = [...documents, "query collections"].join(" and ");
  const text = emitClient(
    {
      from: `${origins}, as role ${role} sees their types`,
      schema: found.schema,
      operations,
      fragments: read.fragments,
    },
    { stringifyNumbers, documentMode, scalars },
  );
  const isChanged = await replaceGenerated(resolve(folder, module.out), text);
  const notices = isChanged ? [...saved.warnings, ...replaced] : [];
  return { operations: operations.length, isChanged, warnings: [...read.warnings, ...notices] };
}

const noDocuments: CheckedDocuments = { operations: [], fragments: [], problems: [], warnings: [] };

/** Splits the saved operations into those that the role can run, and warnings about the others. */
function runnable({ schema, role, savedOperations }: SchemaOfRole): {
  readonly operations: readonly ClientOperation[];
  readonly warnings: readonly Problem[];
} {
  const operations: ClientOperation[] = [];
  const warnings: Problem[] = [];
  for (const saved of savedOperations) {
    const [error] = validate(schema, parse(saved.printed), undefined, { maxErrors: 1 });
    if (error === undefined) operations.push(clientOperationOf(saved));
    else
      warnings.push(
        problem(
          "notice",
          "left-out",
          `${saved.collection}.${saved.name} is left out, since role ${role} cannot run it: ${error.message}`,
        ),
      );
  }
  return { operations, warnings };
}

/**
 * Leaves out saved operations that have the name of a document. An allow-list contains the documents of its front ends.
 * @returns the others, and a warning for each omitted operation with another text
 */
function besides(
  documents: readonly ClientOperation[],
  saved: readonly ClientOperation[],
): { readonly kept: readonly ClientOperation[]; readonly replaced: readonly Problem[] } {
  const texts = new Map(documents.map((each) => [each.name, textOf(each)]));
  const replaced = saved.filter((each) => texts.has(each.name) && texts.get(each.name) !== textOf(each));
  return {
    kept: saved.filter(({ name }) => !texts.has(name)),
    replaced: replaced.map(({ label, name }) =>
      problem("notice", "left-out", `${label} is left out: a document with another text is named ${name}`),
    ),
  };
}

const textOf = ({ definition, fragments }: ClientOperation): string =>
  [definition, ...usedFragments(definition, fragments)].map(print).join("\n");

/** @throws EngineError if the file exists and has another first line */
async function replaceGenerated(file: string, text: string): Promise<boolean> {
  const before = await readFile(file, "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    const reason = messageOf(error);
    throw new EngineError("unwritable", "$", `cannot read ${file}: ${reason}`, { cause: error });
  });
  if (before === text) return false;
  if (before !== undefined && before !== "" && firstLine(before) !== firstLine(text)) {
    throw new EngineError("not-supported", "$", `${file} was not generated: move it, or choose another file`);
  }
  await replaceFile(file, text);
  return true;
}

const firstLine = (text: string): string => text.slice(0, text.indexOf("\n"));
