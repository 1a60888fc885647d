/** Paths of generated files: whose they are, how they are listed, which of them a text refers to. */
import type { QualifiedName } from "../../http/metadata-types.ts";
import type { SideItem } from "../../parts/side-list.tsx";

const rolesFolder = "roles";

/** `roles/clerk/shop/public.orders.ts` → `clerk`; `null`: it is shared by all roles. */
export function roleOfPath(path: string): string | null {
  const [folder, role] = path.split("/");
  return folder === rolesFolder && role !== undefined ? role : null;
}

/** The folders of roles, as paths spell their names. */
export const roleFolders = (paths: readonly string[]): readonly string[] => [
  ...new Set(paths.flatMap((path) => roleOfPath(path) ?? [])),
];

/** Those of a role; `null`: those that all roles share. */
export const pathsOf = (paths: readonly string[], role: string | null): readonly string[] =>
  paths.filter((path) => roleOfPath(path) === role);

/** Files that are in no folder, then a heading for each folder, its files under it. */
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

/** The file with what a role may do with a table; `undefined`: it has none, or its name cannot be a file's. */
export function fileOfTable(
  paths: readonly string[],
  { source, table, role }: { readonly source: string; readonly table: QualifiedName; readonly role: string },
): string | undefined {
  const wanted = [rolesFolder, role, source, `${table.schema}.${table.name}.ts`].join("/");
  return paths.find((path) => path === wanted);
}

const sqlOfOperation = /^roles\/[^/]+\/\(operations\)\//;

/** The files with the SQL of a saved operation, one for each role, for the file with what they share; for others none. */
export function sqlFilesOf(paths: readonly string[], path: string): readonly string[] {
  if (!path.startsWith("operations/")) return [];
  const name = path.slice("operations/".length, -".ts".length);
  const endings = [`/${name}.ts`, `/${name}.backend.ts`];
  return paths.filter((each) => sqlOfOperation.test(each) && endings.some((ending) => each.endsWith(ending)));
}

const imported = /^\} from "(\.[^"]+)";$|^import .* from "(\.[^"]+)";$/gm;

/** The files that a file imports, in the order of its text. */
export function importsOf(path: string, text: string): readonly string[] {
  const found = [...text.matchAll(imported)].map(([, long, short]) => resolved(path, long ?? short ?? ""));
  return [...new Set(found)];
}

/** `../x.js` seen from a file → the path of the TypeScript file. */
function resolved(from: string, specifier: string): string {
  const { pathname } = new URL(specifier, `file:///${from.split("/").map(encodeURIComponent).join("/")}`);
  return pathname.slice(1).split("/").map(decodeURIComponent).join("/").replace(/\.js$/, ".ts");
}
