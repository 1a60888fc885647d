/** Generated modules as the runtime loads them. */
import { expect } from "vitest";
import type { Analysis } from "../../../compiler/2-analyze/analysis.ts";
import type { Program } from "../../../compiler/index.ts";
import { type Compiled, compileAnalysis } from "../../../runtime/control/compile-analysis.ts";
import { ModuleLoader } from "../../../runtime/control/load/module-loader.ts";
import { sessionSlot } from "../../../runtime/model/definitions/parameters.ts";
import { parameter, type RenderedSql, render, verbatim } from "../../../runtime/model/definitions/sql.ts";
import type { TableView } from "../../../runtime/model/definitions/view.ts";
import { postgres } from "../../../runtime/model/dialects/postgres/dialect.ts";
import * as support from "../../../runtime/model/support/index.ts";
import { sharedCode } from "../../support/shared-code.ts";

/** Compiles a program whose modules are loaded on demand, with schemas and the plans of saved operations. */
export function compileAndLoad(analysis: Analysis): Compiled {
  return compileAnalysis({ analysis, planning: { stringifyNumbers: false, nullCollapse: false }, code: sharedCode });
}

export function loaderOf(modules: Pick<Program, "module">): ModuleLoader {
  const module = (path: string) => modules.module(path);
  const program = { module, hashOf: (path: string) => module(path).hash };
  return new ModuleLoader({ program, support, cache: sharedCode });
}

/** Returns the row filter of a view as statements contain it. */
export function renderFilter(view: TableView): RenderedSql {
  expect(view.visible).toBeDefined();
  const filter = view.visible?.(verbatim("t1"), (name) => parameter(sessionSlot(name)));
  return render(filter ?? verbatim(""), postgres);
}
