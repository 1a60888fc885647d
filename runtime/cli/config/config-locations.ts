/** Finds members and secrets in the text of `engine.config.ts`, without running it. */

/** Returns the line of the first member with this name, counted from 1. */
export function lineOf(text: string, name: string): number | undefined {
  const member = new RegExp(`(?:^|[\\s{,"'])${name.replace(/\W/g, "\\$&")}["']?\\s*(?:[:(,}]|$)`);
  const at = text.split("\n").findIndex((line) => !/^\s*(?:\/\/|\/?\*|import\b)/.test(line) && member.test(line));
  return at < 0 ? undefined : at + 1;
}

/** Options whose values are or contain secrets. */
const secrets = [
  "accessKey",
  "adminSecret",
  "adminSecrets",
  "databaseUrl",
  "jwtSecret",
  "jwtSecrets",
  "metadataDatabaseUrl",
  "metricsSecret",
  "redisUrl",
  "relayIdKey",
];

/** Returns names and lines, counted from 1, of literal secrets, which an artifact would expose. */
export function literalConfigSecrets(text: string): readonly { readonly name: string; readonly line: number }[] {
  const member = new RegExp(`\\b(${secrets.join("|")})["']?\\s*:\\s*(?:"[^"]|'[^']|\`(?!\\$\\{)[^\`]|\\[\\s*["'])`);
  return text.split("\n").flatMap((line, index) => {
    const name = member.exec(line)?.[1];
    return name === undefined ? [] : [{ name, line: index + 1 }];
  });
}
