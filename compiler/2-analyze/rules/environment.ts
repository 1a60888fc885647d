/** Checks that environment variables used by objects exist: in URLs as `{{VARIABLE}}`, in headers, and by name. */
import { missingVariables } from "../../../runtime/values/environment-template.ts";
import type { Header, SecretFromEnv } from "../../catalog/model.ts";
import type { AnalysisOptions } from "../analysis.ts";
import { reject, rejectUnknown } from "../rejection.ts";

export type Environment = AnalysisOptions["environment"];

/**
 * Placeholder for the value of a variable that is set only where the metadata is served. It contains a character that
 * no environment variable can contain.
 */
export const assumedValue = "\0";

/** Returns true if a text contains the value of a variable that is known only where the metadata is served. */
export function isAssumed(text: string): boolean {
  return text.includes(assumedValue);
}

/** @throws Rejection if the variable is not set */
export function checkVariable(name: string, environment: Environment): void {
  if (environment[name] !== undefined) return;
  rejectUnknown(`environment variable '${name}' not set`, name, Object.keys(environment));
}

/** @throws Rejection with the variables of a URL template that are not set */
export function checkUrl(template: string, environment: Environment): void {
  const missing = missingVariables(template, environment);
  if (missing.length > 0) reject(`Value for environment variables not found: ${missing.join(", ")}`);
}

/** @throws Rejection for the first header whose variable is not set */
export function checkHeaders(headers: readonly Header[] | undefined, environment: Environment): void {
  for (const header of headers ?? []) {
    if ("value_from_env" in header) checkVariable(header.value_from_env, environment);
    else checkHeaderTemplate(header.value, environment);
  }
}

interface Signed {
  readonly signing_secret?: SecretFromEnv | readonly SecretFromEnv[];
}

/** @throws Rejection for the first secret whose variable is not set */
export function checkSecrets(signed: Signed, environment: Environment): void {
  for (const variable of secretsOf(signed)) checkVariable(variable, environment);
}

/** Returns the names of the environment variables with the signing secrets of a trigger. */
export function secretsOf({ signing_secret }: Signed): readonly string[] {
  if (signing_secret === undefined) return [];
  const secrets = isList(signing_secret) ? signing_secret : [signing_secret];
  return secrets.map(({ value_from_env }) => value_from_env);
}

const isList = (secrets: SecretFromEnv | readonly SecretFromEnv[]): secrets is readonly SecretFromEnv[] =>
  Array.isArray(secrets);

function checkHeaderTemplate(template: string, environment: Environment): void {
  const [missing] = missingVariables(template, environment);
  if (missing !== undefined) reject(`template cannot be resolved: ${missing}`);
}
