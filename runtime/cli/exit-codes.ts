/** Exit codes of commands, with their meanings for the documentation. */

export const exitCodes = { done: 0, failed: 1, different: 1, unreadable: 2, widens: 3, found: 3 } as const;

export const exitCodeTexts = {
  done: "the command has done its work",
  failed: "the command failed, and standard error has the reason: invalid arguments or files, an unreachable server",
  different: "the flag `--exit-code` is present, and there are differences",
  unreadable: "a version cannot be read",
  found: "the flag `--fail-on` is present, and there are findings of this severity or a higher one",
  widens: "the flag `--fail-on-widening` is present, and a role gains access, or may gain access",
} as const satisfies Readonly<Record<keyof typeof exitCodes, string>>;
