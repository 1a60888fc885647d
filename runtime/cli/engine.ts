#!/usr/bin/env node
/**
 * The entry of the command `engine`. Checks the version of Node before it loads the program, which older versions
 * cannot parse. Prints the version without loading the program. Uses only syntax and functions of Node 12.
 */
import { versionProblem } from "./node-version.ts";
import { version } from "./version.ts";

const problem = versionProblem(process.versions.node);
const words = process.argv.slice(2);
if (problem !== null) {
  console.error(`error: ${problem}`);
  process.exitCode = 1;
} else if (words.length === 1 && (words[0] === "-v" || words[0] === "--version")) {
  process.stdout.write(`${version}\n`);
} else {
  void import("./main.ts").then(({ runProgram }) => runProgram(words));
}
