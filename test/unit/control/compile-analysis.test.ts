/** Inconsistencies found by later phases are reported in a new analysis; the original is unchanged. */
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

it("Saved operations that admins cannot run are reported after the inconsistencies of the analysis", () => {
  const analysis = analyzed("query { author { title } }");
  const { analysis: reported } = compileAnalysis({ analysis, planning });
  expect(reasonsOf(reported)).toEqual([syntax, noTitle]);
  expect(reported.dependencies).toEqual(analysis.dependencies);
});

it("An operation at fault names the inconsistent object that causes it", () => {
  const queries = [
    { name: "below", query: "{ author { articles { id } } }" },
    { name: "gone", query: "{ other: none_by_pk(id: 1) { id } author { name } }" },
    { name: "own", query: "{ author { title } }" },
  ];
  const using = { manual_configuration: { remote_table: "none", column_mapping: { id: "id" } } };
  const author = { table: "author", array_relationships: [{ name: "articles", using }] };
  const metadata = {
    version: 3,
    sources: [sourceOf("default", [author, { table: "none" }])],
    query_collections: [{ name: "desk", definition: { queries } }],
  };
  const { analysis } = compileAnalysis({ analysis: analysisOf(parsed(metadata)), planning });
  const cause = "table none in source default";
  expect(analysis.inconsistencies.map(({ id, causedBy }) => ["query" in id ? id.query : id.kind, causedBy])).toEqual([
    ["table", undefined],
    ["array_relation", cause],
    ["below", cause],
    ["gone", cause],
    ["own", undefined],
  ]);
});

it("Compiling saved operations leaves the analysis unchanged", () => {
  const analysis = analyzed("query { author { title } }");
  compileAnalysis({ analysis, planning });
  expect(reasonsOf(analysis)).toEqual([syntax]);
  expect([analysis, analysis.inconsistencies].every(Object.isFrozen)).toBe(true);
});

it("Compiling returns the analysis itself if all saved operations can run", () => {
  const analysis = analyzed("query { author { name } }");
  expect(compileAnalysis({ analysis, planning }).analysis).toBe(analysis);
});

it("Faults of saved operations are computed again with every change", () => {
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
