/** Errors of operations, read from the golden cases of failure, so that each one is tested. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const cases = fileURLToPath(new URL("../../test/golden/metadata", import.meta.url));

export interface OperationError {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/** Returns the errors of an operation, without duplicates, sorted by code. Messages keep the names of the case. */
export function errorsOf(operation: string): readonly OperationError[] {
  const errors = new Map<string, OperationError>();
  for (const file of filesOf(operation)) {
    const { status, code, error } = JSON.parse(readFileSync(file, "utf8"));
    const [message = ""] = String(error).split("\n");
    errors.set(`${code} ${message}`, { status, code, message });
  }
  return [...errors].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, error]) => error);
}

function filesOf(operation: string): readonly string[] {
  try {
    return readdirSync(join(cases, operation), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith("error.json") && dirname(file) !== ".")
      .map((file) => join(cases, operation, file));
  } catch {
    return [];
  }
}
