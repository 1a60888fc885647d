/** API limits of the metadata, each with a global value and overrides for roles. */

export interface ApiLimits {
  readonly disabled?: boolean;
  /** Maximum levels of selection sets below the root fields. */
  readonly depth_limit?: Limit<number>;
  /** Maximum number of fields with a selection set. */
  readonly node_limit?: Limit<number>;
  /** Maximum number of operations in one request. */
  readonly batch_limit?: Limit<number>;
  /** Maximum duration of an operation in seconds. */
  readonly time_limit?: Limit<number>;
  readonly rate_limit?: Limit<RateLimit>;
}

interface Limit<T> {
  readonly global: T;
  readonly per_role?: Readonly<Record<string, T>>;
}

interface RateLimit {
  readonly max_reqs_per_min: number;
  /** Distinguishes clients of a role by address or by session variables. */
  readonly unique_params?: "IP" | readonly string[] | null;
}

export type LimitName = Exclude<keyof ApiLimits, "disabled">;
export type LimitValue<Name extends LimitName> = NonNullable<ApiLimits[Name]>["global"];

/** Returns the limit of a role, if any. The admin role has no limits. */
export function limitOf<Name extends LimitName>(
  limits: ApiLimits,
  name: Name,
  role: string,
): LimitValue<Name> | undefined {
  if (role === "admin" || limits.disabled === true) return undefined;
  const limit = limits[name] as Limit<LimitValue<Name>> | undefined;
  if (limit === undefined) return undefined;
  return limit.per_role && Object.hasOwn(limit.per_role, role) ? limit.per_role[role] : limit.global;
}
