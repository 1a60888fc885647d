/** The endpoints that take operations. */
export type Endpoint = "/v1/metadata" | "/v1/query" | "/v2/query";
/** Of a request: the value of `version` in its body. */
export type Version = 1 | 2;

/** Where an operation may be posted, and under which names. */
export interface Endpoints {
  /** `POST /v1/metadata`: with the name of a kind of database before it (`pg_track_table`), or as it is. */
  readonly metadata?: "prefixed" | "plain";
  /** The values of `version` under which `/v1/metadata` knows it; both unless given. */
  readonly metadataVersions?: readonly Version[];
  /** `POST /v1/query`: the values of `version` under which it is known. */
  readonly query?: readonly Version[];
  /** `POST /v2/query`: as it is for the default kind of database, and with the names of all kinds before it. */
  readonly sql?: true;
}
