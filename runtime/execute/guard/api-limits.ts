/** What the metadata limits (`permissions-and-auth.md` 16): each for all roles, and for single ones instead. */

export interface ApiLimits {
  readonly disabled?: boolean;
  /** Levels of selection sets below the root fields. */
  readonly depth_limit?: Limit<number>;
  /** Fields with a selection set. */
  readonly node_limit?: Limit<number>;
  /** Operations in one request. */
  readonly batch_limit?: Limit<number>;
  /** Seconds. */
  readonly time_limit?: Limit<number>;
  readonly rate_limit?: Limit<RateLimit>;
}

interface Limit<T> {
  readonly global: T;
  readonly per_role?: Readonly<Record<string, T>>;
}

interface RateLimit {
  readonly max_reqs_per_min: number;
  /** What besides the role tells clients apart: their address, or session variables. */
  readonly unique_params?: "IP" | readonly string[] | null;
}

export type LimitName = Exclude<keyof ApiLimits, "disabled">;
export type LimitValue<Name extends LimitName> = NonNullable<ApiLimits[Name]>["global"];

/** The limit that counts for a role; `undefined`: none. The role admin has none. */
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
