/** What a source's statements say of the request that they are for, as the metadata has it. */
export interface QueryTagsDefinition {
  readonly disabled?: boolean;
  readonly format?: "standard" | "sqlcommenter" | "standard_prepended";
  readonly omit_request_id?: boolean;
}
