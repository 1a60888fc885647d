/** `engine access`: prints the effective permissions of roles of the server, of metadata files, or of an artifact. */
import type { RolePermissions } from "../../../compiler/access/permissions.ts";
import { rolePermissions, unknownRole, withoutAdmin } from "../../control/access.ts";
import { EngineError } from "../../values/errors.ts";
import { accessMarkdown, accessText } from "../access/format.ts";
import { readSide } from "../diff/side.ts";
import type { AccessFormat } from "../project/choices.ts";
import { withServer } from "../project/client.ts";
import { printProblems, printResult } from "../project/output.ts";
import { type GlobalFlags, readSettings } from "../project/settings.ts";

export interface AccessCommandOptions extends GlobalFlags {
  /** Default: all roles except `admin`. */
  readonly role?: readonly string[];
  /** Saved Shape of the databases; only for metadata files. */
  readonly shape?: string;
  readonly format: AccessFormat;
}

type Permissions = Readonly<Record<string, RolePermissions>>;

/**
 * Resolves to the exit code.
 * @throws EngineError for an unknown role, or if the version cannot be read
 */
export async function accessCommand(version: string | undefined, options: AccessCommandOptions): Promise<number> {
  const found = version === undefined ? await ofServer(options) : await ofVersion(version, options);
  if ("problems" in found) {
    printProblems(found.problems);
    return 1;
  }
  const { roles } = found;
  switch (options.format) {
    case "json":
      printResult(`${JSON.stringify({ format: 1, roles }, null, 2)}\n`);
      break;
    case "markdown":
      printResult(accessMarkdown(roles));
      break;
    case "text":
      printResult(accessText(roles));
  }
  return 0;
}

async function ofServer({ role, shape, ...options }: AccessCommandOptions): Promise<{ readonly roles: Permissions }> {
  if (shape !== undefined) {
    throw new EngineError("invalid-params", "$", "--shape requires a metadata directory or file; a server has its own");
  }
  const settings = await readSettings(options, process.env);
  const args = role === undefined ? {} : { roles: [...role] };
  const result = await withServer(settings, (call) => call({ type: "export_access", args }));
  return { roles: (result as unknown as { readonly roles: Permissions }).roles };
}

async function ofVersion(
  path: string,
  { role, shape }: AccessCommandOptions,
): Promise<{ readonly roles: Permissions } | { readonly problems: readonly string[] }> {
  const side = await readSide({ metadata: path, ...(shape !== undefined && { shape }) });
  if ("problems" in side) return side;
  const known = Object.keys(side.access.roles);
  const chosen = role ?? withoutAdmin(known);
  for (const name of chosen) if (!known.includes(name)) throw unknownRole(name, known, "$");
  const roles = Object.fromEntries(Object.entries(side.access.roles).filter(([name]) => chosen.includes(name)));
  return { roles: rolePermissions({ roles }) };
}
