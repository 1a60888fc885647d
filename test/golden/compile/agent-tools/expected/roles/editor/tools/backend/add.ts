// Generated: change the metadata, not this file.
// From   tool add: role editor, from a backend
// Slice  sha256:289094f1

import { roleTool } from "engine/support";
import { tool as definition } from "../../../../tools/add.js";

/** Tool add for role editor, from a backend. */
export const tool = roleTool({
  tool: definition,
  description: "Insert a single row into the table: \"book\".",
  hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  input: {
    type: "object",
    properties: {
      object: { $ref: "#/$defs/book_insert_input", description: "the row to be inserted" },
    },
    required: ["object"],
    additionalProperties: false,
    $defs: {
      String_comparison_exp: {
        description: "Boolean expression to compare columns of type \"String\". All fields are combined with logical 'AND'.",
        type: "object",
        properties: {
          _eq: { type: ["string", "null"] },
          _gt: { type: ["string", "null"] },
          _gte: { type: ["string", "null"] },
          _ilike: {
            type: ["string", "null"],
            description: "does the column match the given case-insensitive pattern",
          },
          _in: { type: ["array", "null"], items: { type: "string" } },
          _iregex: {
            type: ["string", "null"],
            description: "does the column match the given POSIX regular expression, case insensitive",
          },
          _is_null: { type: ["boolean", "null"] },
          _like: {
            type: ["string", "null"],
            description: "does the column match the given pattern",
          },
          _lt: { type: ["string", "null"] },
          _lte: { type: ["string", "null"] },
          _neq: { type: ["string", "null"] },
          _nilike: {
            type: ["string", "null"],
            description: "does the column NOT match the given case-insensitive pattern",
          },
          _nin: { type: ["array", "null"], items: { type: "string" } },
          _niregex: {
            type: ["string", "null"],
            description: "does the column NOT match the given POSIX regular expression, case insensitive",
          },
          _nlike: {
            type: ["string", "null"],
            description: "does the column NOT match the given pattern",
          },
          _nregex: {
            type: ["string", "null"],
            description: "does the column NOT match the given POSIX regular expression, case sensitive",
          },
          _nsimilar: {
            type: ["string", "null"],
            description: "does the column NOT match the given SQL regular expression",
          },
          _regex: {
            type: ["string", "null"],
            description: "does the column match the given POSIX regular expression, case sensitive",
          },
          _similar: {
            type: ["string", "null"],
            description: "does the column match the given SQL regular expression",
          },
        },
        additionalProperties: false,
      },
      author_bool_exp: {
        description: "Boolean expression to filter rows from the table \"author\". All fields are combined with a logical 'AND'.",
        type: "object",
        properties: {
          _and: { type: ["array", "null"], items: { $ref: "#/$defs/author_bool_exp" } },
          _not: { anyOf: [{ $ref: "#/$defs/author_bool_exp" }, { type: "null" }] },
          _or: { type: ["array", "null"], items: { $ref: "#/$defs/author_bool_exp" } },
        },
        additionalProperties: false,
      },
      author_constraint: {
        description: "unique or primary key constraints on table \"author\"",
        type: "string",
        enum: ["author_pkey"],
      },
      author_insert_input: {
        description: "input type for inserting data into table \"author\"",
        type: "object",
        properties: {
          books: { anyOf: [{ $ref: "#/$defs/book_arr_rel_insert_input" }, { type: "null" }] },
          id: { type: ["integer", "null"], minimum: -2147483648, maximum: 2147483647 },
          name: { type: ["string", "null"] },
        },
        additionalProperties: false,
      },
      author_obj_rel_insert_input: {
        description: "input type for inserting object relation for remote table \"author\"",
        type: "object",
        properties: {
          data: { $ref: "#/$defs/author_insert_input" },
          on_conflict: {
            anyOf: [{ $ref: "#/$defs/author_on_conflict" }, { type: "null" }],
            description: "upsert condition",
          },
        },
        required: ["data"],
        additionalProperties: false,
      },
      author_on_conflict: {
        description: "on_conflict condition type for table \"author\"",
        type: "object",
        properties: {
          constraint: { $ref: "#/$defs/author_constraint" },
          update_columns: { type: "array", items: { $ref: "#/$defs/author_update_column" } },
          where: { anyOf: [{ $ref: "#/$defs/author_bool_exp" }, { type: "null" }] },
        },
        required: ["constraint"],
        additionalProperties: false,
      },
      author_update_column: {
        description: "placeholder for update columns of table \"author\" (current role has no relevant permissions)",
        type: "string",
        enum: ["_PLACEHOLDER"],
      },
      bigint_comparison_exp: {
        description: "Boolean expression to compare columns of type \"bigint\". All fields are combined with logical 'AND'.",
        type: "object",
        properties: {
          _eq: { type: ["integer", "string", "null"] },
          _gt: { type: ["integer", "string", "null"] },
          _gte: { type: ["integer", "string", "null"] },
          _in: { type: ["array", "null"], items: { type: ["integer", "string"] } },
          _is_null: { type: ["boolean", "null"] },
          _lt: { type: ["integer", "string", "null"] },
          _lte: { type: ["integer", "string", "null"] },
          _neq: { type: ["integer", "string", "null"] },
          _nin: { type: ["array", "null"], items: { type: ["integer", "string"] } },
        },
        additionalProperties: false,
      },
      book_arr_rel_insert_input: {
        description: "input type for inserting array relation for remote table \"book\"",
        type: "object",
        properties: {
          data: { type: "array", items: { $ref: "#/$defs/book_insert_input" } },
          on_conflict: {
            anyOf: [{ $ref: "#/$defs/book_on_conflict" }, { type: "null" }],
            description: "upsert condition",
          },
        },
        required: ["data"],
        additionalProperties: false,
      },
      book_bool_exp: {
        description: "Boolean expression to filter rows from the table \"book\". All fields are combined with a logical 'AND'.",
        type: "object",
        properties: {
          _and: { type: ["array", "null"], items: { $ref: "#/$defs/book_bool_exp" } },
          _not: { anyOf: [{ $ref: "#/$defs/book_bool_exp" }, { type: "null" }] },
          _or: { type: ["array", "null"], items: { $ref: "#/$defs/book_bool_exp" } },
          id: { anyOf: [{ $ref: "#/$defs/bigint_comparison_exp" }, { type: "null" }] },
          secret: { anyOf: [{ $ref: "#/$defs/String_comparison_exp" }, { type: "null" }] },
          title: { anyOf: [{ $ref: "#/$defs/String_comparison_exp" }, { type: "null" }] },
        },
        additionalProperties: false,
      },
      book_constraint: {
        description: "unique or primary key constraints on table \"book\"",
        type: "string",
        enum: ["book_pkey", "book_title_key"],
      },
      book_insert_input: {
        description: "input type for inserting data into table \"book\"",
        type: "object",
        properties: {
          author: { anyOf: [{ $ref: "#/$defs/author_obj_rel_insert_input" }, { type: "null" }] },
          author_id: { type: ["integer", "null"], minimum: -2147483648, maximum: 2147483647 },
          code: { type: ["string", "null"], format: "uuid" },
          title: { type: ["string", "null"], description: "Title as printed on the cover." },
          weight: { type: ["number", "null"] },
        },
        additionalProperties: false,
      },
      book_on_conflict: {
        description: "on_conflict condition type for table \"book\"",
        type: "object",
        properties: {
          constraint: { $ref: "#/$defs/book_constraint" },
          return_existing: {
            type: ["boolean", "null"],
            description: "return rows that exist already, unchanged",
          },
          update_columns: { type: "array", items: { $ref: "#/$defs/book_update_column" } },
          where: { anyOf: [{ $ref: "#/$defs/book_bool_exp" }, { type: "null" }] },
        },
        required: ["constraint"],
        additionalProperties: false,
      },
      book_update_column: {
        description: "update columns of table \"book\"",
        type: "string",
        enum: ["title", "weight"],
      },
    },
  },
  output: {
    type: "object",
    properties: {
      insert_book_one: {
        type: ["object", "null"],
        properties: { id: { type: "integer" } },
        required: ["id"],
        description: "insert a single row into the table: \"book\"",
      },
    },
    required: ["insert_book_one"],
  },
});
