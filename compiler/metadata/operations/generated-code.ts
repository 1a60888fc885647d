/** Operation that returns the generated files. */
import { list, object } from "../../catalog/schema/combinators.ts";
import { text } from "../../catalog/schema/scalars.ts";
import { ioOperation } from "../operation.ts";

/** Limit on files per request, since generating their text takes time. */
const maxPaths = 1000;

const paths = list(text).refine((value) => value.length <= maxPaths, `expected at most ${maxPaths} paths`);

const savedOperation = object({
  about: { collection_name: "Query collection.", query_name: "Name of the operation in the collection." },
  required: { collection_name: text, query_name: text },
});

export const generatedCodeOperations = [
  ioOperation("export_generated_code", {
    about: "Returns the list of generated modules, or their text.",
    endpoints: { metadata: "plain" },
    input: object({
      about: {
        paths: "Paths of files to return. Default: only the list of files.",
        saved_operation: "Saved operation whose compiled module is returned.",
      },
      optional: { paths, saved_operation: savedOperation },
    }),
  }),
];
