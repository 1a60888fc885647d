/** The types of options in `engine.config.ts` match the table of options. */
import { readFile, writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { codeName, codeOptions, codeType, codeVariables } from "../../../runtime/config/code-options.ts";
import { describeOptions } from "../../../runtime/config/options.ts";

const file = new URL("../../../runtime/server/embedding/options.d.mts", import.meta.url);

function text(): string {
  const members = codeOptions().flatMap((option) => [
    `  /** ${option.doc.replaceAll("*/", "* /")} (`.concat("`", option.variable, "`) */"),
    `  readonly ${codeName(option.variable)}?: ${codeType(option)} | undefined;`,
  ]);
  return [
    "/** The options of the server as `engine.config.ts` sets them. Generated from the table of options: `npm run golden`. */",
    "export interface EngineOptions {",
    ...members,
    "}",
    "",
  ].join("\n");
}

it("The type file of embedding options lists all options", async () => {
  if (process.env.UPDATE_GOLDEN) await writeFile(file, text());
  expect(await readFile(file, "utf8")).toBe(text());
});

it("Each option has its own name in code", () => {
  const names = describeOptions().map(({ variable }) => codeName(variable));
  expect(new Set(names).size).toBe(names.length);
});

it("The folder of secrets cannot be set in code, which runs after the secrets are read", () => {
  const message = "set ENGINE_GRAPHQL_SECRETS_DIRECTORY in the environment instead";
  expect(codeVariables({ secretsDirectory: "/run/secrets" }).problems).toEqual([
    { setting: "secretsDirectory", message },
  ]);
});
