/** Supports common flags of project commands before the command, because scripts for similar tools put them there. */

const withValue: ReadonlySet<string> = new Set([
  "--project",
  "--endpoint",
  "--admin-secret",
  "--envfile",
  "--header",
  "--certificate-authority",
  "--log-level",
]);
const withoutValue: ReadonlySet<string> = new Set([
  "--insecure-skip-tls-verify",
  "--json",
  "--no-color",
  "--skip-update-check",
  "--verbose",
]);

/**
 * Moves common flags behind the command, which declares them.
 * @param words arguments of the command line, without the program
 */
export function flagsBehindCommand(words: readonly string[]): readonly string[] {
  const command: string[] = [];
  const moved: string[] = [];
  let index = 0;
  for (; index < words.length; index++) {
    const word = words[index] ?? "";
    const [name = ""] = word.split("=", 1);
    if (withoutValue.has(word)) moved.push(word);
    else if (withValue.has(word)) moved.push(word, ...words.slice(++index, index + 1));
    else if (withValue.has(name)) moved.push(word);
    else if (word.startsWith("-")) break;
    else command.push(word);
  }
  return [...command, ...moved, ...words.slice(index)];
}
