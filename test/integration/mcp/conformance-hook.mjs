/** Lets the conformance suite load on Node 20, which lacks `fs.globSync`. The scenarios for servers do not use it. */
import * as fs from "node:fs";
import { register } from "node:module";

const hook = `export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (!url.endsWith("/conformance/dist/index.js")) return loaded;
  return { ...loaded, source: String(loaded.source).replace("globSync as o,", "") };
}`;
if (!("globSync" in fs)) register(`data:text/javascript,${encodeURIComponent(hook)}`);
