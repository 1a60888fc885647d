/** An environment for analysis without a server: missing variables count as set. */
import { assumedValue } from "../../../compiler/2-analyze/rules/environment.ts";
import type { Environment } from "../../config/options.ts";

export interface AssumedEnvironment {
  readonly environment: Environment;
  /** Returns the variables that were read and are not set, sorted. */
  assumed(): readonly string[];
}

export function assumeVariables(environment: Environment): AssumedEnvironment {
  const names = new Set<string>();
  const assume = (name: string): string => {
    names.add(name);
    return assumedValue;
  };
  const assuming = new Proxy(environment, {
    get: (target, name) => (typeof name === "string" ? (target[name] ?? assume(name)) : Reflect.get(target, name)),
  });
  return { environment: assuming, assumed: () => [...names].sort() };
}
