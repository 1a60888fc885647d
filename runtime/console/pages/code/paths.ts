/** Paths of generated files: their roles, grouping and imports. */
import type { QualifiedName } from "../../http/metadata-types.ts";
import type { SideItem } from "../../parts/side-list.tsx";

const rolesFolder = "roles";

/** Returns the role of a path: `roles/clerk/shop/public.orders.ts` → `clerk`; `null` for files that all roles share. */
export function roleOfPath(path: string): string | null {
  const [folder, role] = path.split("/");
  return folder === rolesFolder && role !== undefined ? role : null;
}

/** Returns the folder names of all roles. */
export const roleFolders = (paths: readonly string[]): readonly string[] => [
  ...new Set(paths.flatMap((path) => roleOfPath(path) ?? [])),
];

/** The folder of the code that serves roles without permissions. */
const folderWithoutPermissions = "(none)";

/**
 * Returns the folder of the first role with permissions; that of admin if there is no other role.
 * @param roles roles with permissions
 */
export function firstChoice(folders: readonly string[], roles: readonly string[]): string | undefined {
  const own = new Set(roles);
  const named = folders.filter((folder) => folder !== folderWithoutPermissions);
  return named.find((folder) => own.has(folder)) ?? named[0];
}

/** @param role folder name; `null` for the files that all roles share */
export const pathsOf = (paths: readonly string[], role: string | null): readonly string[] =>
  paths.filter((path) => roleOfPath(path) === role);

/** Lists files outside folders first, then each folder as a heading followed by its files. */
export function listed(paths: readonly string[], role: string | null, current: string): readonly SideItem[] {
  const items: SideItem[] = [];
  let before: string | undefined;
  const innerOf = (path: string): string => (role === null ? path : path.split("/").slice(2).join("/"));
  const isAlone = (path: string): boolean => !innerOf(path).includes("/");
  const ordered = [...paths.filter(isAlone), ...paths.filter((path) => !isAlone(path))];
  for (const path of ordered) {
    const inner = innerOf(path);
    const at = inner.lastIndexOf("/");
    const folder = inner.slice(0, Math.max(0, at));
    if (folder !== before && folder !== "") items.push({ key: `${folder}/`, text: folder, to: null });
    before = folder;
    items.push({ key: path, text: inner.slice(at + 1), to: ["code", ...path.split("/")], isCurrent: path === current });
  }
  return items;
}

/** Returns the file with a role's permissions on a table, if any. Escaped file names are not found. */
export function fileOfTable(
  paths: readonly string[],
  { source, table, role }: { readonly source: string; readonly table: QualifiedName; readonly role: string },
): string | undefined {
  const expectedPath = [rolesFolder, role, source, `${table.schema}.${table.name}.ts`].join("/");
  return paths.find((path) => path === expectedPath);
}

const sqlOfOperation = /^roles\/[^/]+\/operations\//;

/** Returns the files with each role's SQL for the shared file of a saved operation; none for other files. */
export function sqlFilesOf(paths: readonly string[], path: string): readonly string[] {
  if (!path.startsWith("operations/")) return [];
  const name = path.slice("operations/".length, -".ts".length);
  const endings = [`/${name}.ts`, `/${name}.backend.ts`];
  return paths.filter((each) => sqlOfOperation.test(each) && endings.some((ending) => each.endsWith(ending)));
}

const imported = /^\} from "(\.[^"]+)";$|^import .* from "(\.[^"]+)";$/gm;

/** Returns the imported files in the order of the text. */
export function importsOf(path: string, text: string): readonly string[] {
  const found = [...text.matchAll(imported)].map(([, long, short]) => resolved(path, long ?? short ?? ""));
  return [...new Set(found)];
}

/** Resolves an import specifier such as `../x.js` to the path of the TypeScript file. */
function resolved(from: string, specifier: string): string {
  const { pathname } = new URL(specifier, `file:///${from.split("/").map(encodeURIComponent).join("/")}`);
  return pathname.slice(1).split("/").map(decodeURIComponent).join("/").replace(/\.js$/, ".ts");
}
