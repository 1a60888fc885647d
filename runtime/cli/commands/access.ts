/**
 * `engine access`: prints the effective permissions of roles of the server, of metadata files, or of an artifact; for two
 * versions, the changes of permissions between them.
 */
import type { Change } from "../../../compiler/access/change.ts";
import type { RolePermissions } from "../../../compiler/access/permissions.ts";
import { accessChanges, rolePermissions, unknownRole, widening, withoutAdmin } from "../../control/access.ts";
import { EngineError } from "../../values/errors.ts";
import { type AccessComparison, comparisonJson, comparisonText, permissionChanges } from "../access/comparison.ts";
import { accessMarkdown, accessText } from "../access/format.ts";
import { readSide } from "../diff/side.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Problem } from "../problem.ts";
import type { AccessFormat } from "../project/choices.ts";
import { withServer } from "../project/client.ts";
import { outputColors, printProblems, printResult } from "../project/output.ts";
import { type GlobalFlags, readSettings } from "../project/settings.ts";

export interface AccessCommandOptions extends GlobalFlags {
  /** Default: all roles except `admin`. */
  readonly role?: readonly string[];
  /** Saved Shape of the databases; only for metadata files. */
  readonly shape?: string;
  readonly format: AccessFormat;
  /** Earlier version of the server's metadata, to compare with. */
  readonly asOf?: string;
  /** Later version; default the current one. */
  readonly to?: string;
  /** If true, exits with 3 when a role gains or may gain access. */
  readonly failOnWidening?: boolean;
}

type Permissions = Readonly<Record<string, RolePermissions>>;

/**
 * Resolves to the exit code.
 * @param other a later version, with which the first one is compared
 * @throws EngineError for an unknown role, or if a version cannot be read
 */
export async function accessCommand(
  version: string | undefined,
  other: string | undefined,
  options: AccessCommandOptions,
): Promise<number> {
  const { asOf, to, failOnWidening } = options;
  if (version !== undefined && other !== undefined) return report(await ofVersions(version, other, options), options);
  if (asOf !== undefined && version === undefined) return report(await ofHistory(asOf, options), options);
  const given = Object.entries({ "--as-of": asOf, "--to": to, "--fail-on-widening": failOnWidening });
  const [flag] = given.filter(([, value]) => value !== undefined).map(([name]) => name);
  if (flag !== undefined) throw new EngineError("invalid-params", "$", refusal(flag, version));
  const found = version === undefined ? await ofServer(options) : await ofVersion(version, options);
  if ("problems" in found) {
    printProblems(found.problems);
    return 1;
  }
  const { roles } = found;
  printResult(formatted(roles, options.format), { roles });
  return 0;
}

function formatted(roles: Permissions, format: AccessFormat): string {
  switch (format) {
    case "json":
      return `${JSON.stringify({ format: 1, roles }, null, 2)}\n`;
    case "markdown":
      return accessMarkdown(roles);
    case "text":
      return accessText(roles);
  }
}

function refusal(flag: string, version: string | undefined): string {
  if (flag === "--as-of") return `--as-of compares versions of a server: remove ${version}`;
  return flag === "--to" ? "--to requires --as-of" : `${flag} requires two versions, or --as-of`;
}

async function ofServer({ role, shape, ...options }: AccessCommandOptions): Promise<{ readonly roles: Permissions }> {
  refuseShape(shape);
  const settings = await readSettings(options, process.env);
  const args = role === undefined ? {} : { roles: [...role] };
  const result = await withServer(settings, (call) => call({ type: "export_access", args }));
  return { roles: (result as unknown as { readonly roles: Permissions }).roles };
}

async function ofVersion(
  path: string,
  { role, shape }: AccessCommandOptions,
): Promise<{ readonly roles: Permissions } | { readonly problems: readonly Problem[] }> {
  const side = await readSide({ metadata: path, ...(shape !== undefined && { shape }) });
  if ("problems" in side) return side;
  const known = Object.keys(side.access.roles);
  const chosen = role ?? withoutAdmin(known);
  for (const name of chosen) if (!known.includes(name)) throw unknownRole(name, known, "$");
  const roles = Object.fromEntries(Object.entries(side.access.roles).filter(([name]) => chosen.includes(name)));
  return { roles: rolePermissions({ roles }) };
}

function refuseShape(shape: string | undefined): void {
  if (shape === undefined) return;
  throw new EngineError("invalid-params", "$", "--shape requires a metadata directory or file; a server has its own");
}

// Comparison of two versions.

type Compared = AccessComparison | { readonly problems: readonly Problem[] };

function report(compared: Compared, options: AccessCommandOptions): number {
  if ("problems" in compared) {
    printProblems(compared.problems);
    return exitCodes.failed;
  }
  printResult(comparisonText(compared, options.format, outputColors(options)), comparisonJson(compared));
  const widens = options.failOnWidening === true && widening(compared.changes).length > 0;
  return widens ? exitCodes.widens : exitCodes.done;
}

async function ofVersions(before: string, after: string, { role, shape }: AccessCommandOptions): Promise<Compared> {
  const sideOf = (metadata: string) => readSide({ metadata, ...(shape !== undefined && { shape }) });
  const [from, to] = [await sideOf(before), await sideOf(after)];
  if ("problems" in from) return from;
  if ("problems" in to) return to;
  const known = new Set([...Object.keys(from.access.roles), ...Object.keys(to.access.roles)]);
  for (const name of role ?? []) if (!known.has(name)) throw unknownRole(name, known, "$");
  return { before, after, changes: permissionChanges(accessChanges(from.access, to.access), role) };
}

async function ofHistory(asOf: string, options: AccessCommandOptions): Promise<Compared> {
  const { role, to, shape, ...flags } = options;
  refuseShape(shape);
  const settings = await readSettings(flags, process.env);
  const args = {
    from: versionNumber("--as-of", asOf),
    ...(to !== undefined && { to: versionNumber("--to", to) }),
    ...(role && { roles: [...role] }),
    effects: true,
  };
  const result = await withServer(settings, (call) => call({ type: "compare_metadata_versions", args }));
  const { from, to: last, access } = result as unknown as HistoryResult;
  return { before: `version ${from}`, after: `version ${last}`, changes: permissionChanges(access, role) };
}

interface HistoryResult {
  readonly from: number;
  readonly to: number;
  readonly access: readonly Change[];
}

function versionNumber(flag: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const message = `${flag} expects the number of a version, as listed by get_metadata_history, not ${JSON.stringify(text)}`;
  throw new EngineError("invalid-params", "$", message);
}
