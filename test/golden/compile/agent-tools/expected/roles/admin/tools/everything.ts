// Generated: change the metadata, not this file.
// From   tool everything: role admin
// Slice  sha256:367ad4cc

import { roleTool } from "engine/support";
import { tool as definition } from "../../../tools/everything.js";
import { plans } from "../operations/app.everything.js";

/** Tool everything for role admin. */
export const tool = roleTool({
  tool: definition,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  input: {
    type: "object",
    properties: {
      since: { type: "string", format: "date-time" },
      most: { type: ["number", "string"], default: 99.5 },
      binding: { type: "array", items: { type: "string" } },
      prices: { type: "boolean" },
    },
    required: ["since", "binding", "prices"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      book: {
        type: "array",
        items: {
          type: "object",
          properties: {
            id: { type: "integer" },
            title: { type: "string", description: "Title as printed on the cover." },
            price: {
              anyOf: [
                { type: "number" },
                { enum: ["NaN", "Infinity", "-Infinity"] },
                { type: "null" },
              ],
            },
            weight: { anyOf: [{ type: "number" }, { enum: ["NaN", "Infinity", "-Infinity"] }] },
            is_lent: { type: "boolean" },
            published_on: { type: ["string", "null"] },
            added_at: { type: "string" },
            code: { type: "string", format: "uuid" },
            tags: {
              type: "array",
              items: { anyOf: [{ type: "string" }, { type: ["array", "null"] }] },
            },
            binding: { type: ["string", "null"] },
            notes: {},
            first: {},
          },
          required: [
            "id",
            "title",
            "weight",
            "is_lent",
            "published_on",
            "added_at",
            "code",
            "tags",
            "binding",
            "notes",
            "first",
          ],
        },
        description: "fetch data from the table: \"book\"",
      },
      book_aggregate: {
        type: "object",
        properties: {
          aggregate: {
            type: ["object", "null"],
            properties: {
              count: { type: "integer" },
              avg: {
                type: ["object", "null"],
                properties: {
                  price: {
                    anyOf: [
                      { type: "number" },
                      { enum: ["NaN", "Infinity", "-Infinity"] },
                      { type: "null" },
                    ],
                  },
                },
                required: ["price"],
              },
              max: {
                type: ["object", "null"],
                properties: {
                  title: {
                    type: ["string", "null"],
                    description: "Title as printed on the cover.",
                  },
                  added_at: { type: ["string", "null"] },
                },
                required: ["title", "added_at"],
              },
            },
            required: ["count", "avg", "max"],
          },
        },
        required: ["aggregate"],
        description: "fetch aggregated fields from the table: \"book\"",
      },
    },
    required: ["book", "book_aggregate"],
  },
  plans,
});
