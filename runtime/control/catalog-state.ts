/** `get_catalog_state`, `set_catalog_state`: what tools store beside the metadata (`metadata-api.md` 2.16). */
import type { Json } from "../../compiler/catalog/model.ts";
import type { SetCatalogStateCall } from "../../compiler/metadata/io.ts";
import { stringifyJson } from "../values/json-number.ts";
import type { MetadataStore } from "./store.ts";

export async function getCatalogState(store: MetadataStore): Promise<Json> {
  const { id, cliState, consoleState } = await store.catalogState();
  return { id, cli_state: cliState as Json, console_state: consoleState as Json };
}

export async function setCatalogState({ input }: SetCatalogStateCall, store: MetadataStore): Promise<Json> {
  await store.setCatalogState(input.type, stringifyJson(input.state));
  return { message: "success" };
}
