/** Where things stand in the text of `engine.config.ts`, as far as that can be told without running it. */

/** Line of the first member of this name, from 1. */
export function lineOf(text: string, name: string): number | undefined {
  const member = new RegExp(`(?:^|[\\s{,"'])${name.replace(/\W/g, "\\$&")}["']?\\s*(?:[:(,}]|$)`);
  const at = text.split("\n").findIndex((line) => !/^\s*(?:\/\/|\/?\*|import\b)/.test(line) && member.test(line));
  return at < 0 ? undefined : at + 1;
}

/** Options whose values are secrets, or may hold one. */
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

/** Lines with secrets that are written out, from 1, with their names: whoever gets an artifact of it could read them. */
export function writtenSecrets(text: string): readonly { readonly name: string; readonly line: number }[] {
  const member = new RegExp(`\\b(${secrets.join("|")})["']?\\s*:\\s*(?:"[^"]|'[^']|\`(?!\\$\\{)[^\`]|\\[\\s*["'])`);
  return text.split("\n").flatMap((line, index) => {
    const name = member.exec(line)?.[1];
    return name === undefined ? [] : [{ name, line: index + 1 }];
  });
}
