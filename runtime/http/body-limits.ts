/** Limits of request bodies: length by role, and minimum rate. */
import type { Options } from "../config/option-table.ts";
import type { Session } from "../values/session.ts";

export type BodySettings = Pick<
  Options,
  | "maxBodyBytes"
  | "adminMaxBodyBytes"
  | "unauthorizedMaxBodyBytes"
  | "authHookMaxBodyBytes"
  | "unauthorizedRole"
  | "maxUploadBytes"
>;

/** The deadline of a body. */
export interface BodyPace {
  readonly seconds: number;
  /** Extends the deadline by one second per this many bytes; 0 for no extension. */
  readonly bytesPerSecond: number;
}

export function bodyPace(settings: Pick<Options, "bodyTimeoutSeconds" | "bodyLeastRate">): BodyPace {
  return { seconds: settings.bodyTimeoutSeconds, bytesPerSecond: settings.bodyLeastRate };
}

export interface BodyLimit {
  readonly bytes: number;
  /** The option that sets the limit. */
  readonly option: string;
  /** If true, the body may exceed the limit on the total of all bodies. Only one body at a time does. */
  readonly mayExceedTotal: boolean;
}

/** Returns the limit for a session, or for an unauthenticated request (`null`). */
export type BodyLimits = (session: Session | null, kind?: "text" | "upload") => BodyLimit;

export function bodyLimits(settings: BodySettings): BodyLimits {
  const limit = (bytes: number, option: string): BodyLimit => ({ bytes, option, mayExceedTotal: false });
  const unauthenticated = limit(settings.authHookMaxBodyBytes, "--auth-hook-max-body-bytes");
  const admin = { ...limit(settings.adminMaxBodyBytes, "--admin-max-body-bytes"), mayExceedTotal: true };
  const unauthorized = limit(settings.unauthorizedMaxBodyBytes, "--unauthorized-max-body-bytes");
  const others = limit(settings.maxBodyBytes, "--max-body-bytes");
  const uploads = limit(settings.maxUploadBytes, "--max-upload-bytes");
  return (session, kind = "text") => {
    if (session === null) return unauthenticated;
    if (kind === "upload" && session.role !== settings.unauthorizedRole) return uploads;
    if (session.role === "admin") return admin;
    return session.role === settings.unauthorizedRole ? unauthorized : others;
  };
}
