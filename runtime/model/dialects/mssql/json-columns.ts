/** Text columns that metadata declares as JSON: scalar, comparisons and update operators (`docs/how-to/sql-server.md`). */

import { EngineError } from "../../../values/errors.ts";
import { stringifyJson } from "../../../values/json-number.ts";
import type { UpdateOperator } from "../../definitions/dialect.ts";
import type { CastOperator, CompareOperator, FlagOperator, Operator } from "../../definitions/operator.ts";
import type { Encode, Encoder } from "../../definitions/parameters.ts";
import type { ScalarType } from "../../definitions/scalar-type.ts";
import { type Sql, sql } from "../../definitions/sql.ts";
import { parseFailed } from "../encode.ts";
import { encodeList } from "./encode.ts";
import {
  containsDocument,
  differsFrom,
  equalsDocument,
  equalsNone,
  equalsSome,
  hasAllKeys,
  hasKey,
  hasSomeKey,
  isContainedIn,
  joinDocuments,
  maxComparedDepth,
  withoutItem,
  withoutKey,
} from "./json-documents.ts";

/** Encodes JSON; JSON null becomes NULL, because a request cannot distinguish them. */
const jsonText = (value: unknown): string | null =>
  value === null || value === undefined ? null : stringifyJson(value).replaceAll("\\u0000", "");

/** Encodes a document, which must be an object or a list: SQL Server 2019 accepts nothing else as JSON (`isjson`). */
export const encodeDocument: Encode = (value, path) => {
  if (typeof value === "object") return jsonText(value);
  if (value === undefined) return null;
  throw parseFailed(path, "expected an object or a list for a JSON column");
};

function levelsOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Object.values(value).reduce<number>((deepest, inner) => Math.max(deepest, levelsOf(inner)), 0);
}

/** Encodes the JSON that a document is compared with. */
const encodeCompared: Encode = (value, path) => {
  if (levelsOf(value) <= maxComparedDepth) return jsonText(value);
  const message = `JSON that is nested deeper than ${maxComparedDepth} levels cannot be compared on SQL Server`;
  throw new EngineError("validation-failed", path, message);
};

/** Encodes an operand that is compared with a document. */
export const mssqlJsonValue: Encoder = { encode: encodeCompared, code: { name: "mssqlJsonValue" } };

/** Encodes a list of documents for `_in`. */
export const mssqlJsonList: Encoder = { encode: encodeList(encodeCompared), code: { name: "mssqlJsonList" } };

const unchanged = (parameter: Sql): Sql => parameter;

const isDocument = ({ code }: ScalarType): boolean => {
  const [, options] = code?.arguments ?? [];
  return typeof options === "object" && "holds" in options && options.holds === "json";
};

/** Returns the operators of JSON columns, and `undefined` for other columns. */
export function documentOperators(
  type: ScalarType,
  texts: { readonly type: ScalarType; readonly list: ScalarType },
): readonly Operator[] | undefined {
  if (!isDocument(type)) return undefined;
  const value: ScalarType = { ...type, ...mssqlJsonValue, operand: unchanged };
  const values: ScalarType = { ...type, ...mssqlJsonList, operand: unchanged };
  const compare = (
    name: string,
    operand: ScalarType,
    condition: CompareOperator["sql"],
    description?: string,
  ): CompareOperator => ({
    kind: "compare",
    name,
    operand,
    list: operand === values || operand === texts.list,
    sql: condition,
    ...(description === undefined ? {} : { description }),
  });
  const cast: CastOperator = {
    kind: "cast",
    name: "_cast",
    inputType: "jsonb_MSSQL_cast_exp",
    target: texts.type,
    sql: unchanged,
  };
  const isNull: FlagOperator = {
    kind: "flag",
    name: "_is_null",
    sql: (left, flag) => (flag ? sql`${left} is null` : sql`${left} is not null`),
  };
  return [
    cast,
    compare("_contained_in", value, isContainedIn, "is the column contained in the given json value"),
    compare("_contains", value, containsDocument, "does the column contain the given json value at the top level"),
    compare("_eq", value, equalsDocument),
    compare("_has_key", texts.type, hasKey, "does the string exist as a top-level key in the column"),
    compare("_has_keys_all", texts.list, hasAllKeys, "do all of these strings exist as top-level keys in the column"),
    compare("_has_keys_any", texts.list, hasSomeKey, "do any of these strings exist as top-level keys in the column"),
    compare("_in", values, equalsSome),
    isNull,
    compare("_neq", value, differsFrom),
    compare("_nin", values, equalsNone),
  ];
}

/**
 * Returns the update operators of JSON columns.
 * @param index type of item indexes
 */
export function documentUpdates(
  text: ScalarType,
  index: ScalarType,
): Readonly<Record<"before" | "after", readonly UpdateOperator[]>> {
  return {
    before: [
      {
        name: "_append",
        type: "append_input",
        description: () => "append existing json value of filtered columns with new json value",
        on: isDocument,
        sql: (column, value) => joinDocuments(column, value),
      },
      {
        name: "_delete_elem",
        type: "delete_elem_input",
        description: () =>
          "delete the array element with specified index (negative integers count from the end). throws an error if top level container is not an array",
        on: isDocument,
        operand: index,
        sql: withoutItem,
      },
      {
        name: "_delete_key",
        type: "delete_key_input",
        description: () =>
          "delete key/value pair or string element. key/value pairs are matched based on their key value",
        on: isDocument,
        operand: text,
        sql: withoutKey,
      },
    ],
    after: [
      {
        name: "_prepend",
        type: "prepend_input",
        description: () => "prepend existing json value of filtered columns with new json value",
        on: isDocument,
        sql: (column, value) => joinDocuments(value, column),
      },
    ],
  };
}
