/** Choices of flags, and variables of project commands. Separate from the commands, which are loaded only when they run. */

import type { DocumentMode } from "../../../compiler/5-plan/client.ts";
import type { RootOperation } from "../../../compiler/access/root-owner.ts";
import type { Severity } from "../../../compiler/advice/model.ts";
import type { ScalarChoice } from "../../../compiler/handlers/handlers-of.ts";
import { EngineError } from "../../values/errors.ts";

export const formats = ["json", "yaml"] as const;
export type Format = (typeof formats)[number];

export const diffTypes = ["unified-yaml", "unified-json", "yaml", "json"] as const;
export type DiffType = (typeof diffTypes)[number];

/** Formats of `engine access`. */
export const accessFormats = ["text", "markdown", "json"] as const;
export type AccessFormat = (typeof accessFormats)[number];

/** Formats of `engine advise`. */
export const adviceFormats = ["text", "json", "sarif"] as const;
export type AdviceFormat = (typeof adviceFormats)[number];

/** Severities of findings of `engine advise`, the highest first. */
export const adviceSeverities = ["error", "warning", "note"] as const satisfies readonly Severity[];

/** Formats of `engine why`. */
export const explanationFormats = ["text", "json"] as const;
export type ExplanationFormat = (typeof explanationFormats)[number];

/** Operations that permissions allow. */
export const tableOperations = ["select", "insert", "update", "delete"] as const;
export type TableOperation = (typeof tableOperations)[number];

/** Operations with root fields. */
export const rootOperations = ["query", "mutation", "subscription"] as const satisfies readonly RootOperation[];

/** Reporters of `engine test`. */
export const testReporters = ["text", "tap", "junit"] as const;
export type TestReporter = (typeof testReporters)[number];

export const verboseFlag = "--verbose";

/** Sections of the metadata that the original engine enforces in one of its editions only. */
export const enforcedSections = ["api_limits", "graphql_schema_introspection"] as const;
export type EnforcedSection = (typeof enforcedSections)[number];

/** Environment variables of project commands. */
export const variables = {
  endpoint: "ENGINE_GRAPHQL_ENDPOINT",
  adminSecret: "ENGINE_GRAPHQL_ADMIN_SECRET",
  adminSecrets: "ENGINE_GRAPHQL_ADMIN_SECRETS",
  metadata_directory: "ENGINE_GRAPHQL_METADATA_DIRECTORY",
  migrations_directory: "ENGINE_GRAPHQL_MIGRATIONS_DIRECTORY",
  seeds_directory: "ENGINE_GRAPHQL_SEEDS_DIRECTORY",
  insecureSkipTlsVerify: "ENGINE_GRAPHQL_INSECURE_SKIP_TLS_VERIFY",
  certificateAuthority: "ENGINE_GRAPHQL_CERTIFICATE_AUTHORITY",
} as const;

/** Forms of documents in the module of a front end. */
export const documentModes = ["documentNode", "string"] as const satisfies readonly DocumentMode[];

/** TypeScript types of custom scalars. */
export const scalarChoices = ["string", "number", "boolean", "unknown"] as const satisfies readonly ScalarChoice[];

const isChoice = (text: string): text is ScalarChoice => (scalarChoices as readonly string[]).includes(text);

/**
 * Returns types by scalar.
 * @param values for example `Money=string`
 * @throws EngineError
 */
export function readScalars(values: readonly string[]): ReadonlyMap<string, ScalarChoice> {
  return new Map(
    values.map((text) => {
      const [name = "", type = ""] = text.split("=", 2);
      if (name !== "" && isChoice(type)) return [name, type];
      const message = `--scalar ${text}: expected <name>=<type> with one of the types ${scalarChoices.join(", ")}`;
      throw new EngineError("invalid-params", "$", message);
    }),
  );
}
