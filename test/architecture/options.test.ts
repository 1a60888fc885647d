/** Every option has an effect: something reads it, or its description says that nothing does. */
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
  // Names in strings and comments (`Pick<Options, "name">`) read nothing.
  .map((file) => readFileSync(join(root, file), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*|"[^"\n]*"/g, ""));

/** Members that are read (`options.name`) or taken out (`{ name }`, `{ name: other }`). */
const read = new Set(
  sources.flatMap((text) =>
    [...text.matchAll(/\.(\w+)\b|[{,]\s*(\w+)(?=\s*[:,}=])/g)].map(([, member, taken]) => member ?? taken),
  ),
);

it.each(Object.entries(optionTable))("%s is read", (name, { doc }) => {
  expect(read.has(name)).toBe(!doc.startsWith("accepted for compatibility"));
});
