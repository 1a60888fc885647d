/** Explains access without a server: from metadata files and the shape of their databases, or from an artifact. */
import type { JsonObject } from "../../../compiler/catalog/model.ts";
import { decodeRequest } from "../../../compiler/metadata/dispatch.ts";
import { type Environment, parseOptions } from "../../config/options.ts";
import { valueOrThrow } from "../../control/diagnostic-errors.ts";
import { explainAccess } from "../../control/explain-access.ts";
import type { ExplainInput } from "../../control/explain-on-table.ts";
import type { AccessExplanation } from "../../control/explanation.ts";
import { GenerationBuilder } from "../../control/generation-builder.ts";
import type { IoCallOf } from "../../control/io-handlers.ts";
import { openSource } from "../../databases/sources/open-source.ts";
import { guardSettings } from "../../execute/guard/guard-rules.ts";
import { planOperation } from "../../execute/plan-operation.ts";
import { invariant } from "../../values/errors.ts";
import { type AnalyzedInput, type AnalyzedProgram, analyzeInput } from "../compile/analyze-input.ts";
import { offlineServices } from "../compile/offline-services.ts";
import { isArtifact, readArtifact } from "../diff/side.ts";
import { leftOutProblem, type Problem } from "../problem.ts";
import { printProblems } from "../project/output.ts";
import { explainArtifact } from "./explain-artifact.ts";

/** Path of the arguments in errors, as in a request. */
const path = "$.args";

/**
 * Explains what the server would do with these files; inconsistent objects are left out, as on a server.
 * @param args arguments of `explain_access`, without a row
 * @throws EngineError for invalid arguments, or if files cannot be read
 */
export async function explainFiles(
  args: JsonObject,
  files: Pick<AnalyzedInput, "metadata" | "shape">,
  environment: Environment,
): Promise<AccessExplanation | { readonly problems: readonly Problem[] }> {
  const input = inputOf(args);
  if (await isArtifact(files.metadata)) return explainArtifact(input, path, await readArtifact(files), environment);
  const program = await analyzeInput({ ...files, allowInconsistent: true }, environment);
  if ("problems" in program) return program;
  printProblems(program.inconsistent.map(leftOutProblem));
  return explainProgram(input, program, environment);
}

/** @throws EngineError for invalid arguments */
function inputOf(args: JsonObject): ExplainInput {
  const { call } = valueOrThrow(decodeRequest("/v1/metadata", { type: "explain_access", args }));
  invariant(call.effect === "io" && call.operation === "explain_access", "the request is a single operation");
  return (call as IoCallOf<"explain_access">).input;
}

async function explainProgram(
  input: ExplainInput,
  program: AnalyzedProgram,
  environment: Environment,
): Promise<AccessExplanation> {
  const options = parseOptions({}, environment);
  const builder = new GenerationBuilder({
    planCacheSize: 1,
    guard: guardSettings(options),
    relayCipher: null,
    sources: { database: ({ name }) => unconnected(name) },
  });
  const { catalog } = program.files;
  const generation = builder.build({ ...program, catalog, resourceVersion: 1 });
  const { executing, close } = offlineServices(options, environment, () => generation);
  try {
    return await explainAccess(input, path, {
      catalog,
      analysis: program.analysis,
      context: { resourceVersion: 1 },
      generation: () => generation,
      plan: (served, request, session) =>
        planOperation(served, request, session, { ...executing, subscriptions: true, explainRefusals: true }),
      hasRows: false,
    });
  } finally {
    await close();
  }
}

/** Returns a source that never connects: planning sends nothing. */
function unconnected(name: string) {
  return openSource(
    { name, kind: "postgres", connectionInfo: { database_url: "postgres://localhost/unused" } },
    { variables: {} },
  );
}
