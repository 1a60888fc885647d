/** Dumps a source, cleaned when asked for. */

import type { DatabaseSource } from "../databases/sources/source.ts";
import type { DumpService } from "../ports/administration.ts";
import { EngineError } from "../values/errors.ts";
import { cleanDump } from "./clean-dump.ts";

export function dumpService(sources: () => ReadonlyMap<string, DatabaseSource>): DumpService {
  return {
    async dump({ source: name, options, clean }) {
      const source = sources().get(name);
      if (!source) throw new EngineError("not-found", "$.source", `source "${name}" not found`);
      if (!source.dump) throw new EngineError("not-supported", "$.source", `source "${name}" cannot be dumped`);
      const text = await source.dump(options);
      return clean ? cleanDump(text) : text;
    },
  };
}
