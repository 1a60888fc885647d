/** `query_tags` of a source: comments in its statements that identify the request. */
export interface QueryTagsDefinition {
  readonly disabled?: boolean;
  readonly format?: "standard" | "sqlcommenter" | "standard_prepended";
  readonly omit_request_id?: boolean;
}
