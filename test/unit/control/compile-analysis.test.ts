/** From an Analysis to a report: what is found out afterwards is said beside the Analysis, and not written into it. */
import { expect, it } from "vitest";
import type { Analysis } from "../../../compiler/2-analyze/analysis.ts";
import { type Compiled, compileAnalysis } from "../../../runtime/control/compile-analysis.ts";
import { analysisOf, parsed, reasonsOf, sourceOf } from "../analyze/sample.ts";

const planning = { stringifyNumbers: false, nullCollapse: false };

function analyzed(query: string, previous?: Analysis): Analysis {
  const queries = [
    { name: "names", query },
    { name: "broken", query: "query {" },
  ];
  const query_collections = [{ name: "desk", definition: { queries } }];
  const sources = [sourceOf("default", [{ table: "author" }])];
  return analysisOf(parsed({ version: 3, sources, query_collections }), previous && { previous });
}

const syntax =
  'In query collection "desk" the query "broken" is invalid with the following error(s): "Syntax Error: Expected Name, found <EOF>."';
const noTitle =
  'In query collection "desk" the query "names" is invalid with the following error(s): "$.author.title: field \'title\' not found in object \'author\'"';

it("reports saved operations that admin cannot run, after what the Analysis found", () => {
  const analysis = analyzed("query { author { title } }");
  const { analysis: reported } = compileAnalysis({ analysis, planning });
  expect(reasonsOf(reported)).toEqual([syntax, noTitle]);
  expect(reported.dependencies).toEqual(analysis.dependencies);
});

it("leaves the Analysis as it was", () => {
  const analysis = analyzed("query { author { title } }");
  compileAnalysis({ analysis, planning });
  expect(reasonsOf(analysis)).toEqual([syntax]);
  expect([analysis, analysis.inconsistencies].every(Object.isFrozen)).toBe(true);
});

it("gives the Analysis itself where all can be run", () => {
  const analysis = analyzed("query { author { name } }");
  expect(compileAnalysis({ analysis, planning }).analysis).toBe(analysis);
});

it("finds faults anew with every change", () => {
  let compiled: Compiled | undefined;
  const reasons = (query: string): readonly string[] => {
    compiled = compileAnalysis({ analysis: analyzed(query, compiled?.program.analysis), planning, previous: compiled });
    return reasonsOf(compiled.analysis);
  };
  const [right, wrong] = ["query { author { name } }", "query { author { title } }"];
  expect(reasons(wrong)).toEqual([syntax, noTitle]);
  expect(reasons(wrong)).toEqual([syntax, noTitle]);
  expect(reasons(right)).toEqual([syntax]);
  expect(reasons(wrong)).toEqual([syntax, noTitle]);
});
