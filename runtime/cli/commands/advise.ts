/** `engine advise`: reviews permissions, limits and indexes of the server, or of metadata files with their Shapes. */

import type { Advice, Severity } from "../../../compiler/advice/model.ts";
import type { VerifiedUses } from "../../../compiler/advice/verified-uses.ts";
import type { ReviewFacts } from "../../../compiler/shape/review-facts.ts";
import { optionTable } from "../../config/option-table.ts";
import { readAdvice } from "../../control/advise.ts";
import { verifyIndexes } from "../../control/verify-indexes.ts";
import { EngineError } from "../../values/errors.ts";
import { readExceptions } from "../advise/exceptions.ts";
import {
  type AdviceReport,
  adviceJson,
  adviceMembers,
  adviceReport,
  adviceText,
  hasSeverity,
} from "../advise/report.ts";
import { adviceSarif } from "../advise/sarif.ts";
import { type AnalyzedProgram, analyzeInput, leftOutProblems } from "../compile/analyze-input.ts";
import { withDatabase } from "../compile/introspect-url.ts";
import { isArtifact } from "../diff/side.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Problem } from "../problem.ts";
import type { AdviceFormat } from "../project/choices.ts";
import { withServer } from "../project/client.ts";
import { outputColors, printProblems, printResult } from "../project/output.ts";
import { type GlobalFlags, readSettings, type Settings } from "../project/settings.ts";

export interface AdviseOptions extends GlobalFlags {
  /** Saved Shapes; only for metadata files. */
  readonly shape?: string;
  /** A database to introspect instead of reading a Shape; only for metadata files. */
  readonly database?: string;
  /** `false`: the server refuses requests without credentials. */
  readonly unauthorizedRole?: string | false;
  readonly format: AdviceFormat;
  /** Least severity with which the command fails. */
  readonly failOn?: Severity;
}

/**
 * Resolves to the exit code.
 * @throws EngineError if the metadata, the exceptions or the server cannot be read
 */
export async function adviseCommand(metadata: string | undefined, options: AdviseOptions): Promise<number> {
  const settings = await readSettings(options, process.env);
  const report =
    metadata === undefined ? await ofServer(settings, options) : await ofFiles(metadata, settings, options);
  if ("problems" in report) {
    printProblems(report.problems);
    return exitCodes.failed;
  }
  printResult(formatted(report, options), adviceMembers(report));
  return options.failOn !== undefined && hasSeverity(report, options.failOn) ? exitCodes.found : exitCodes.done;
}

function formatted(report: AdviceReport, options: AdviseOptions): string {
  switch (options.format) {
    case "json":
      return adviceJson(report);
    case "sarif":
      return adviceSarif(report, process.cwd());
    case "text":
      return adviceText(report, outputColors(options));
  }
}

/** Applies the exceptions of the project, whose files need not be equal to the metadata of the server. */
async function ofServer(settings: Settings, options: AdviseOptions): Promise<AdviceReport> {
  const { shape, database, unauthorizedRole: role } = options;
  if (shape !== undefined || database !== undefined) {
    const flag = shape === undefined ? "--database" : "--shape";
    throw new EngineError("invalid-params", "$", `${flag} requires a metadata directory or file`);
  }
  const args = role === false ? { authenticated_only: true } : role === undefined ? {} : { unauthorized_role: role };
  const exceptions = await readExceptions(settings.metadataPath);
  const advice = await withServer(settings, (call) => call({ type: "advise", args }));
  return adviceReport(advice as unknown as Advice, exceptions, () => undefined);
}

async function ofFiles(
  metadata: string,
  settings: Settings,
  { shape, database, unauthorizedRole }: AdviseOptions,
): Promise<AdviceReport | { readonly problems: readonly Problem[] }> {
  if (await isArtifact(metadata)) {
    throw new EngineError("not-supported", "$", `${metadata} is an artifact: pass the metadata that it was built from`);
  }
  const input = {
    metadata,
    ...(shape !== undefined && { shape }),
    ...(database !== undefined && { database }),
    allowInconsistent: true,
  };
  const analyzed = await analyzeInput(input, settings.environment);
  if ("problems" in analyzed) return analyzed;
  printProblems(leftOutProblems(analyzed, metadata));
  const configured = settings.environment[optionTable.unauthorizedRole.variable];
  const role = unauthorizedRole ?? (configured === "" ? undefined : configured);
  const facts = factsOf(analyzed);
  const verified = database === undefined ? {} : { verified: await verifiedBy(database, facts, analyzed) };
  const advice = await readAdvice(analyzed.analysis, { facts, ...verified }, role === false ? null : role);
  const exceptions = await readExceptions(metadata);
  return adviceReport(advice, exceptions, (path) => analyzed.files.files?.locate(path));
}

/** Reads plans of the database that describes the only source. */
async function verifiedBy(
  url: string,
  facts: ReadonlyMap<string, ReviewFacts>,
  { analysis }: AnalyzedProgram,
): Promise<ReadonlyMap<string, VerifiedUses>> {
  const verified = new Map<string, VerifiedUses>();
  for (const source of analysis.sources.values()) {
    const known = facts.get(source.name);
    if (known === undefined) continue;
    const uses = await withDatabase(url, source.source.kind, (database) => verifyIndexes(source, known, database));
    if (uses !== undefined) verified.set(source.name, uses);
  }
  return verified;
}

function factsOf({ analysis }: AnalyzedProgram): ReadonlyMap<string, ReviewFacts> {
  return new Map(
    [...analysis.sources].flatMap(
      ([
        name,
        {
          shape: { review },
        },
      ]) => (review === undefined ? [] : [[name, review]]),
    ),
  );
}
