/** Operation that returns the generated files. */
import { list, object } from "../../catalog/schema/combinators.ts";
import { text } from "../../catalog/schema/scalars.ts";
import { ioOperation } from "../operation.ts";

/** Limit on files per request, since generating their text takes time. */
const maxPaths = 1000;

const paths = list(text).refine((value) => value.length <= maxPaths, `expected at most ${maxPaths} paths`);

const savedOperation = object({ required: { collection_name: text, query_name: text } });

export const generatedCodeOperations = [
  ioOperation("export_generated_code", {
    endpoints: { metadata: "plain" },
    input: object({ optional: { paths, saved_operation: savedOperation } }),
  }),
];
