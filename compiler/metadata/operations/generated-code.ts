/** The files that the metadata is compiled to, as they are served. */
import { list, object } from "../../catalog/schema/combinators.ts";
import { text } from "../../catalog/schema/scalars.ts";
import { operation } from "../operation.ts";

/** An answer with more would take too long to make. */
const mostPaths = 1000;

const paths = list(text).refine((value) => value.length <= mostPaths, `expected at most ${mostPaths} paths`);

const savedOperation = object({ required: { collection_name: text, query_name: text } });

export const generatedCodeOperations = [
  operation("export_generated_code", {
    effect: "io",
    endpoints: { metadata: "plain" },
    input: object({ optional: { paths, saved_operation: savedOperation } }),
    call: (input, { path }) => ({ effect: "io", operation: "export_generated_code", input, path }),
  }),
];
