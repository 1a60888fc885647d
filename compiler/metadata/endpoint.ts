/** Endpoints that accept operations. */
export type Endpoint = "/v1/metadata" | "/v1/query" | "/v2/query";
/** The `version` in the body of a request. */
export type Version = 1 | 2;

/** Endpoints that accept an operation, and its names there. */
export interface Endpoints {
  /** `POST /v1/metadata`: `prefixed` with a source kind (`pg_track_table`), or `plain`. */
  readonly metadata?: "prefixed" | "plain";
  /** The values of `version` for which `/v1/metadata` accepts it; absent: both. */
  readonly metadataVersions?: readonly Version[];
  /** `POST /v1/query`: the values of `version` for which it is accepted. */
  readonly query?: readonly Version[];
  /** `POST /v2/query`: unprefixed for the default source kind, and prefixed for every kind. */
  readonly sql?: true;
}
