/** Variables that look like ours and are no option: most likely misspelt, which can leave a server open. */
import { nearestName } from "../values/nearest-name.ts";
import { describeOptions, type Environment } from "./options.ts";

const prefix = "ENGINE_GRAPHQL_";

/** Variables of the command line tools, which stand in the same environment (`docs/projects.md`). */
const toolVariables = [
  "CERTIFICATE_AUTHORITY",
  "ENDPOINT",
  "INSECURE_SKIP_TLS_VERIFY",
  "METADATA_DIR",
  "METADATA_DIRECTORY",
  "MIGRATIONS_DIR",
  "MIGRATIONS_DIRECTORY",
  "MIGRATIONS_SERVER_PORT",
  "MIGRATIONS_SERVER_TIMEOUT",
  "SEEDS_DIRECTORY",
].map((name) => `${prefix}${name}`);

export interface UnknownVariable {
  readonly variable: string;
  /** The option that was probably meant. */
  readonly nearest: string | undefined;
}

/** Only names: the values may be secrets. */
export function unknownVariables(environment: Environment): readonly UnknownVariable[] {
  const options = describeOptions().map(({ variable }) => variable);
  const known = new Set([...options, ...toolVariables]);
  const suffixes = options.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  return Object.keys(environment)
    .filter((variable) => variable.startsWith(prefix) && !known.has(variable))
    .sort()
    .map((variable) => {
      const nearest = nearestName(variable.slice(prefix.length), suffixes);
      return { variable, nearest: nearest === undefined ? undefined : `${prefix}${nearest}` };
    });
}
