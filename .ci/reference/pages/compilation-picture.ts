/** `docs/explanation/compilation.svg`: one table of the sample library, and the modules that the compiler makes of it. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import type { ReferencePage } from "../page.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const table = "loan";
const metadataFile = `metadata/databases/default/tables/public_${table}.yaml`;

interface Box {
  readonly title: string;
  readonly lines: readonly string[];
}

type Permissions = Readonly<Record<string, readonly { readonly role: string }[] | undefined>>;

const kinds = ["select", "insert", "update", "delete"] as const;

/** Describes the file with the permissions of the table, by role. */
async function metadataBox(): Promise<Box> {
  const text = await readFile(join(root, "fixtures/library", metadataFile), "utf8");
  const permissions = parse(text) as Permissions;
  const roles = new Map<string, string[]>();
  for (const kind of kinds)
    for (const { role } of permissions[`${kind}_permissions`] ?? [])
      roles.set(role, [...(roles.get(role) ?? []), kind]);
  const lines = [...roles].sort(([a], [b]) => (a < b ? -1 : 1)).map(([role, each]) => `${role}: ${each.join(", ")}`);
  return { title: `public_${table}.yaml`, lines: ["permissions", ...lines] };
}

/** Describes the module that all roles share. */
async function tableBox(): Promise<Box> {
  const text = await readFile(join(root, `generated/sources/default/public.${table}.ts`), "utf8");
  const count = text.match(/^ {2}\w+: column\(/gm)?.length ?? 0;
  return { title: `sources/default/public.${table}.ts`, lines: [`${count} columns, keys, joins`, "no rights"] };
}

/** Describes the module of each role, or its absence. */
async function roleBoxes(): Promise<readonly Box[]> {
  const roles = (await readdir(join(root, "generated/roles"))).filter((role) => role !== "admin" && role !== "unnamed");
  return Promise.all(
    roles.sort().map(async (role): Promise<Box> => {
      const path = `roles/${role}/default/public.${table}.ts`;
      const text = await readFile(join(root, "generated", path), "utf8").catch(() => undefined);
      if (text === undefined)
        return { title: `roles/${role}/`, lines: [`no module of ${table}:`, "it does not exist"] };
      const columns = new Set(
        /tableView\(table, \{\n {2}columns: \[([\s\S]*?)\]/.exec(text)?.[1]?.match(/columns\.\w+/g) ?? [],
      );
      const filter = /const visible/.test(text) ? "rows by a filter" : "all rows";
      const writes = kinds.slice(1).filter((kind) => new RegExp(`allow${kind}`, "i").test(text));
      return { title: path, lines: [`${columns.size} columns, ${filter}`, `writes: ${writes.join(", ") || "none"}`] };
    }),
  );
}

const lineHeight = 18;
const heightOf = ({ lines }: Box): number => 34 + lines.length * lineHeight;

function drawn({ title, lines }: Box, x: number, y: number, width: number): string {
  const texts = lines.map((line, i) => `<text x="${x + 12}" y="${y + 44 + i * lineHeight}">${escaped(line)}</text>`);
  return [
    `<rect x="${x}" y="${y}" width="${width}" height="${heightOf({ title, lines })}" rx="6"/>`,
    `<text class="title" x="${x + 12}" y="${y + 22}">${escaped(title)}</text>`,
    ...texts,
  ].join("\n");
}

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

const arrow = (fromX: number, fromY: number, toX: number, toY: number): string =>
  `<path d="M${fromX} ${fromY} C${(fromX + toX) / 2} ${fromY} ${(fromX + toX) / 2} ${toY} ${toX} ${toY}" marker-end="url(#end)"/>`;

export const compilationPicture: ReferencePage = {
  path: "docs/explanation/compilation.svg",
  async render() {
    const [metadata, shared, roles] = await Promise.all([metadataBox(), tableBox(), roleBoxes()]);
    const shape: Box = { title: "shape of the database", lines: ["columns, types, keys"] };
    const gap = 16;
    const tops = roles.map((_, i) => 16 + roles.slice(0, i).reduce((sum, box) => sum + heightOf(box) + gap, 0));
    const height = (tops.at(-1) ?? 0) + heightOf(roles.at(-1) ?? shape) + 16;
    const metadataTop = 16;
    const shapeTop = Math.max(height - 16 - heightOf(shape), metadataTop + heightOf(metadata) + gap);
    const sharedTop = (height - heightOf(shared)) / 2;
    const middle = sharedTop + heightOf(shared) / 2;
    const parts = [
      drawn(metadata, 16, metadataTop, 250),
      drawn(shape, 16, shapeTop, 250),
      drawn(shared, 320, sharedTop, 270),
      ...roles.map((box, i) => drawn(box, 640, tops[i] ?? 0, 336)),
      arrow(266, metadataTop + heightOf(metadata) / 2, 314, middle - 8),
      arrow(266, shapeTop + heightOf(shape) / 2, 314, middle + 8),
      ...roles.map((box, i) => arrow(590, middle, 634, (tops[i] ?? 0) + heightOf(box) / 2)),
    ];
    const label = `The permissions of the table ${table} and the shape of its database become one shared module, and one module for each role`;
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 992 ${height}" role="img" aria-label="${label}">
<style>
rect { fill: #f5f7fa; stroke: #8a94a6; }
text { font: 13px ui-monospace, "DejaVu Sans Mono", monospace; fill: #1a2233; }
.title { font-weight: bold; }
path { fill: none; stroke: #2257c5; stroke-width: 1.5; }
marker path { fill: #2257c5; stroke: none; }
.back { fill: #ffffff; stroke: none; }
</style>
<defs><marker id="end" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z"/></marker></defs>
<rect class="back" width="992" height="${height}"/>
${parts.join("\n")}
</svg>
`;
  },
};
