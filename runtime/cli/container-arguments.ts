/**
 * Adapts arguments of the form `graphql-engine serve …`, with which containers of the original engine are started.
 * Container runtimes append such arguments to the entry point of this image.
 */

const peerProgram = "graphql-engine";
const serving: ReadonlySet<string> = new Set(["serve", "start"]);

/**
 * Removes `graphql-engine` and the command of the entry point before it. Moves the flags of the entry point behind the
 * command `serve` or `start`.
 * @param words arguments of the command line, without the program
 */
export function withoutPeerProgram(words: readonly string[]): readonly string[] {
  const at = words.indexOf(peerProgram);
  const [entry, ...flags] = words.slice(0, Math.max(at, 0));
  const isOurs = at === 0 || (entry === "start" && flags.every((flag) => flag === "--deploy"));
  if (at < 0 || !isOurs) return words;
  const given = words.slice(at + 1);
  const command = given.findIndex((word) => serving.has(word));
  if (command < 0) return given;
  return [...given.slice(0, command + 1), ...flags, ...given.slice(command + 1)];
}
