/** The fixed part of the generated module: types that calls of all handlers share, and their validators. */
export const sharedTypesText = `/** Of the session in which an action was called or a row was changed; the names are in lower case. */
export type SessionVariables = Readonly<Record<string, string>>;

/** The trace that a change of a row belongs to. */
export type TraceContext = Readonly<Record<string, string>>;

/** How often an event was tried before, and how often it may be tried again. */
export interface DeliveryInfo {
  readonly current_retry: number;
  readonly max_retries: number;
}

export const SessionVariables: z.ZodType<SessionVariables> = z.record(z.string(), z.string());
export const TraceContext: z.ZodType<TraceContext> = z.record(z.string(), z.string());
export const DeliveryInfo: z.ZodType<DeliveryInfo> = z.object({
  current_retry: z.number(),
  max_retries: z.number(),
});
`;

/** JSON has no digits for these numbers. */
export const floatText = `const float = z.union([z.number(), z.enum(["NaN", "Infinity", "-Infinity"]).transform(Number)]);
`;

export const numberOrTextText = `const numberOrText = z.union([z.number(), z.string()]);
`;

/** Every object of JavaScript has members such as `constructor`, which the JSON that it was read from may leave out. */
export const ownMembersText = `const ownMembers = <T>(type: z.ZodType<T>): z.ZodType<T> =>
  z.preprocess((value) => (isRecord(value) ? Object.assign(Object.create(null), value) : value), type);
`;
