/**
 * Identifies the inputs of permission tests, to run only tests that a change can affect. A test depends on its case and
 * setup, the SQL files of the databases, the generated modules of its role with the modules that they import, and on all
 * metadata without modules, such as limits and actions.
 */
import { createHash } from "node:crypto";
import { posix } from "node:path";
import { exportMetadata } from "../../../compiler/catalog/canonical.ts";
import { stringifyJson } from "../../values/json-number.ts";
import type { AnalyzedProgram } from "../compile/analyze-input.ts";
import type { TestToRun } from "../permission-tests/run-tests.ts";

export class TestInputs {
  readonly #program: AnalyzedProgram;
  readonly #databases: string;
  readonly #metadata: string;
  readonly #roles = new Map<string, string>();

  /** @param databases a text that differs after each change of the databases */
  constructor(program: AnalyzedProgram, databases: string) {
    this.#program = program;
    this.#databases = databases;
    this.#metadata = metadataWithoutModules(program);
  }

  /** Returns a hash of all inputs of a test. */
  of({ file, test }: TestToRun): string {
    const { at, index, ...given } = test;
    const role = this.#ofRole(test.session.role);
    return hash([file.seeds, file.setup, given, role, this.#databases, this.#metadata]);
  }

  #ofRole(role: string): string {
    let found = this.#roles.get(role);
    if (found === undefined) {
      found = hash([...this.#modulesOf(role)]);
      this.#roles.set(role, found);
    }
    return found;
  }

  /** Yields the modules of a role and all modules that they import, with their texts. */
  *#modulesOf(role: string): Iterable<readonly [string, string]> {
    const { planned } = this.#program;
    const known = new Set(planned.modulesOf(role));
    // The set grows while it is read.
    for (const path of known) {
      const { text } = planned.module(path);
      yield [path, text];
      for (const imported of importsOf(path, text)) known.add(imported);
    }
  }
}

/** Returns the paths of the generated modules that a module imports. */
function importsOf(path: string, text: string): readonly string[] {
  const specifiers = text.matchAll(/\bfrom "(\.[^"\n]*)\.js"/g);
  return Array.from(specifiers, ([, specifier = ""]) => posix.join(posix.dirname(path), `${specifier}.ts`));
}

/** Lists of a source whose objects are in generated modules. */
const inModules = ["tables", "functions", "native_queries", "stored_procedures", "logical_models"];

function metadataWithoutModules({ files }: AnalyzedProgram): string {
  const { sources, ...others } = exportMetadata(files.catalog);
  const settings = (Array.isArray(sources) ? sources : []).map((source) =>
    Object.entries(Object(source)).filter(([name]) => !inModules.includes(name)),
  );
  return stringifyJson({ ...others, sources: settings } as Parameters<typeof stringifyJson>[0]);
}

const hash = (inputs: readonly unknown[]): string => createHash("sha256").update(JSON.stringify(inputs)).digest("hex");
