/** Containers of engines like this one are told `graphql-engine serve …`: what that means after the entry point of ours. */

const peerProgram = "graphql-engine";
const serving: ReadonlySet<string> = new Set(["serve", "start"]);

/**
 * @param words of the command line, without the program
 * @returns those without `graphql-engine`; flags of an entry point before it go to the command that serves
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
