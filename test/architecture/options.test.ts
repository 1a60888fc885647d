/** Every option has an effect: some code reads it, or its description states that it has none. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { optionTable } from "../../runtime/config/option-table.ts";

const root = join(import.meta.dirname, "../..");
const table = "runtime/config/option-table.ts";

const sources = ["compiler", "runtime"]
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
  )
  .filter((file) => file.endsWith(".ts") && file !== table)
  // Names in strings and comments (`Pick<Options, "name">`) do not count as reads.
  .map((file) => readFileSync(join(root, file), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*|"[^"\n]*"/g, ""));

/** Members that are read (`options.name`) or destructured (`{ name }`, `{ name: other }`). */
const read = new Set(
  sources.flatMap((text) =>
    [...text.matchAll(/\.(\w+)\b|[{,]\s*(\w+)(?=\s*[:,}=])/g)].map(([, member, taken]) => member ?? taken),
  ),
);

it.each(Object.entries(optionTable))("The option %s is read", (name, { doc }) => {
  expect(read.has(name)).toBe(!doc.startsWith("accepted for compatibility"));
});
