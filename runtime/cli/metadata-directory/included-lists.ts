/** The layout of new metadata directories: tables and functions have files of their own, which their lists include. */
import type { Json } from "../../../compiler/catalog/model.ts";
import { objects } from "../../metadata-text/split-actions.ts";
import { IncludedFile, type YamlContent, yamlText } from "../../metadata-text/yaml-text.ts";
import { fileNames, qualifiedFile } from "./file-names.ts";

export interface IncludedLists {
  readonly list: string;
  /** The key with the name of an element. */
  readonly nameKey: string;
}

/** Lists of a source with one file for each element. */
export const listKeys: readonly IncludedLists[] = [
  { list: "tables", nameKey: "table" },
  { list: "functions", nameKey: "function" },
];

/**
 * Adds one file for each element, and returns the include of the list.
 * @param folder of the source, from the file that includes the list
 * @param files receives the texts by their path from that file
 */
export function includedList(
  folder: string,
  { list, nameKey }: IncludedLists,
  value: Json,
  files: Map<string, string>,
): IncludedFile {
  const elements = objects(value);
  const names = fileNames(
    elements.map((element) => qualifiedFile(element[nameKey])),
    [list],
  );
  const base = `${folder}/${list}`;
  elements.forEach((element, index) => {
    files.set(`${base}/${names[index]}.yaml`, yamlText(element));
  });
  const includes: readonly YamlContent[] = names.map((name) => new IncludedFile(`${name}.yaml`));
  files.set(`${base}/${list}.yaml`, yamlText(includes));
  return new IncludedFile(`${base}/${list}.yaml`);
}
