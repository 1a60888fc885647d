/** How long a body may be, depending on who sends it. */
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

/** How fast a body has to arrive. */
export interface BodyPace {
  readonly seconds: number;
  /** So many bytes add a second; 0: none do. */
  readonly bytesPerSecond: number;
}

export function bodyPace(settings: Pick<Options, "bodyTimeoutSeconds" | "bodyLeastRate">): BodyPace {
  return { seconds: settings.bodyTimeoutSeconds, bytesPerSecond: settings.bodyLeastRate };
}

export interface BodyLimit {
  readonly bytes: number;
  /** The option that sets it. */
  readonly option: string;
  /** Whether the body may be buffered although the total of all bodies is reached; one at a time is. */
  readonly mayExceedTotal: boolean;
}

/** The limit for a session; `null`: for a request that is not authenticated yet. */
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
