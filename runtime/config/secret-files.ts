/** Environment variables whose values are in files, as container platforms mount secrets: `ENGINE_…_FILE`. */

import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../values/message-of.ts";
import { ConfigurationError, type ConfigurationProblem } from "./configuration-error.ts";
import { optionTable } from "./option-table.ts";
import type { Environment } from "./options.ts";

/** Names the folder whose files are variables, each with the name of its variable. */
const { variable: secretsDirectoryVariable } = optionTable.secretsDirectory;

const fileVariable = /^(ENGINE_[A-Z0-9_]+)_FILE$/;
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

const maxBytes = 1024 * 1024;

/** Returns true if the environment names files with values. */
export function hasSecretFiles(environment: Environment): boolean {
  return (
    environment[secretsDirectoryVariable] !== undefined ||
    Object.keys(environment).some((name) => fileVariable.test(name))
  );
}

/**
 * Reads the values of all files. A line feed at the end of a file is not part of its value.
 * @throws ConfigurationError that names all files that cannot be read, and variables that are set twice. It contains no
 *   values
 */
export function readSecretFiles(environment: Environment): ReadonlyMap<string, string> {
  const problems: ConfigurationProblem[] = [];
  const values = new Map<string, string>();
  const read = (name: string, setting: string, path: string): void => {
    if (environment[name] !== undefined || values.has(name)) {
      problems.push({ setting, message: `${name} has more than one value` });
      return;
    }
    try {
      values.set(name, readValue(path));
    } catch (error) {
      problems.push({ setting, message: messageOf(error) });
    }
  };
  for (const [setting, path] of Object.entries(environment)) {
    const name = fileVariable.exec(setting)?.[1];
    if (name !== undefined && path !== undefined) read(name, setting, path);
  }
  const directory = environment[secretsDirectoryVariable];
  for (const name of directory === undefined ? [] : filesIn(directory, problems)) {
    read(name, secretsDirectoryVariable, join(directory ?? "", name));
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
  return values;
}

/** Names that are no names of variables, such as `..data` of Kubernetes, are ignored. */
function filesIn(directory: string, problems: ConfigurationProblem[]): readonly string[] {
  try {
    return readdirSync(directory).filter((name) => variableName.test(name));
  } catch (error) {
    problems.push({
      setting: secretsDirectoryVariable,
      message: messageOf(error),
    });
    return [];
  }
}

/** @throws Error for a folder, a device, a pipe or a large file */
function readValue(path: string): string {
  // Opening a pipe would block.
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = fstatSync(descriptor);
    if (!found.isFile()) throw new Error(`${path} is not a regular file`);
    if (found.size > maxBytes) throw new Error(`${path} is longer than ${maxBytes} bytes`);
    return readFileSync(descriptor, "utf8").replace(/\r?\n$/, "");
  } finally {
    closeSync(descriptor);
  }
}
