// Generated: change the metadata, not this file.
// From   tool everything: role admin
// Slice  sha256:4f4a57ee

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
      most: { type: "number", default: 99.5 },
      codes: { type: "array", items: { type: "string", format: "uuid" } },
      prices: { type: "boolean" },
    },
    required: ["since", "codes", "prices"],
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
            title: { type: "string" },
            price: {
              anyOf: [
                { type: "number" },
                { enum: ["NaN", "Infinity", "-Infinity"] },
                { type: "null" },
              ],
            },
            weight: { type: "integer" },
            is_lent: { type: "boolean" },
            published_on: { type: ["string", "null"] },
            added_at: { type: "string" },
            code: { type: "string" },
            author: {
              type: "object",
              properties: { name: { type: "string" } },
              required: ["name"],
            },
          },
          required: [
            "id",
            "title",
            "weight",
            "is_lent",
            "published_on",
            "added_at",
            "code",
            "author",
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
              max: {
                type: ["object", "null"],
                properties: { title: { type: ["string", "null"] } },
                required: ["title"],
              },
            },
            required: ["count", "max"],
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
