/** The diagram of a database: edges, choice of tables, layout, and the exported file. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TableOutline } from "../../../runtime/console/http/data-api.ts";
import type { Source, Table } from "../../../runtime/console/http/metadata-types.ts";
import { drawingOf } from "../../../runtime/console/pages/data/diagram/drawing.ts";
import { type Box, layoutOf } from "../../../runtime/console/pages/data/diagram/layout.ts";
import { type DiagramModel, diagramModel } from "../../../runtime/console/pages/data/diagram/model.ts";
import { filterTables, neighboursOf, selectionOf } from "../../../runtime/console/pages/data/diagram/selection.ts";
import { svgFile } from "../../../runtime/console/pages/data/diagram/svg-file.ts";

function modelOf(...input: Parameters<typeof diagramModel>): DiagramModel {
  for (const work = diagramModel(...input); ; ) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

const key = (name: string, schema = "public") => JSON.stringify([schema, name]);

const outline = (name: string, columns: readonly string[], rest: Partial<TableOutline> = {}): TableOutline => ({
  schema: "public",
  name,
  kind: "table",
  columns: columns.map((column) => ({ name: column, type: "integer", nullable: false })),
  primary_key: ["id"],
  unique_keys: [],
  foreign_keys: [],
  ...rest,
});

const reference = (name: string, column: string, table: string) => ({
  name,
  foreign_table: { schema: "public", name: table },
  column_mapping: { [column]: "id" },
});

const outlines = [
  outline("author", ["id"]),
  outline("book", ["id", "author_id"], { foreign_keys: [reference("by", "author_id", "author")] }),
  outline("cover", ["id", "book_id"], {
    unique_keys: [["book_id"]],
    foreign_keys: [reference("of", "book_id", "book")],
  }),
  outline("tag", ["id"]),
  outline("book_tag", ["book_id", "tag_id"], {
    primary_key: ["book_id", "tag_id"],
    foreign_keys: [reference("book", "book_id", "book"), reference("tag", "tag_id", "tag")],
  }),
  outline("sale", ["id", "title_id"], { schema: "shop" }),
];

const table = (name: string, rest: Partial<Table> = {}): Table => ({ table: { schema: "public", name }, ...rest });
const manual = (name: string, schema: string, mapping: Record<string, string>) => ({
  manual_configuration: { remote_table: { schema, name }, column_mapping: mapping },
});

const source: Source = {
  name: "default",
  kind: "postgres",
  configuration: {},
  tables: [
    table("author", {
      array_relationships: [
        { name: "books", using: { foreign_key_constraint_on: { table: "book", column: "author_id" } } },
      ],
    }),
    table("book", {
      object_relationships: [
        { name: "author", using: { foreign_key_constraint_on: ["author_id"] } },
        { name: "writer", using: manual("author", "public", { author_id: "id" }) },
      ],
      array_relationships: [
        { name: "sales", using: manual("sale", "shop", { id: "title_id" }) },
        { name: "lost", using: manual("nothing", "shop", { id: "id" }) },
      ],
    }),
    { table: { schema: "shop", name: "sale" } },
  ],
};

describe("The tables and edges of a diagram", () => {
  const model = modelOf(source, outlines);
  const edge = (from: string, to: string) => model.edges.find((each) => each.from === from && each.to === to);

  it("Relationships name the edge of their foreign key in both directions, and form an edge without one", () => {
    expect(edge(key("book"), key("author"))).toMatchObject({
      kind: "foreign-key",
      fromEnd: "many",
      toEnd: "one",
      about: "book.author_id → author.id",
      relationships: ["author.books", "book.author", "book.writer"],
    });
    expect(edge(key("book"), key("sale", "shop"))).toMatchObject({
      kind: "manual",
      fromEnd: "one",
      toEnd: "many",
      about: "book.id → shop.sale.title_id",
      relationships: ["book.sales"],
    });
    expect(model.edges).toHaveLength(5);
  });

  it("A foreign key with a unique constraint is an edge from one row to one row", () => {
    expect(edge(key("cover"), key("book"))).toMatchObject({ fromEnd: "one", toEnd: "one" });
  });

  it("A table that only joins two others becomes a many-to-many edge, unless it is focused", () => {
    const all = selectionOf(model, [...model.tables.values()], null);
    expect(all.tables.map(({ name }) => name)).not.toContain("book_tag");
    expect(all.edges.filter(({ kind }) => kind === "many-to-many")).toMatchObject([
      { from: key("book"), to: key("tag"), fromEnd: "many", toEnd: "many", about: "through book_tag" },
    ]);
    const focused = selectionOf(model, [...model.tables.values()], key("book_tag"));
    expect(focused.tables.map(({ name }) => name)).toContain("book_tag");
    expect(focused.edges.filter(({ kind }) => kind === "many-to-many")).toEqual([]);
  });

  it("A join table with a column of its own, or with an edge to a third table, is drawn as a table", () => {
    const own = outlines.map((each) =>
      each.name === "book_tag" ? { ...each, columns: [...each.columns, ...outline("", ["rank"]).columns] } : each,
    );
    expect(modelOf(source, own).joins.size).toBe(0);
    const third = [
      ...outlines,
      outline("note", ["id", "link"], { foreign_keys: [reference("link", "link", "book_tag")] }),
    ];
    expect(modelOf(source, third).joins.size).toBe(0);
  });

  it("A focused table has its neighbours up to the distance, counting a join table as an edge", () => {
    const neighbours = neighboursOf(model);
    const namesAt = (focus: string, depth: number) =>
      filterTables(model, neighbours, { schema: "", search: "", focus: key(focus), depth })
        .map(({ name }) => name)
        .sort();
    expect(namesAt("author", 1)).toEqual(["author", "book"]);
    expect(namesAt("author", 2)).toEqual(["author", "book", "book_tag", "cover", "sale", "tag"]);
    expect(namesAt("tag", 1)).toEqual(["book", "book_tag", "tag"]);
    const filtered = filterTables(model, neighbours, { schema: "shop", search: "SAL", focus: null, depth: 1 });
    expect(filtered.map(({ name }) => name)).toEqual(["sale"]);
  });
});

describe("The layout of a diagram", () => {
  const graph = fc
    .array(fc.record({ width: fc.integer({ min: 1, max: 400 }), height: fc.integer({ min: 1, max: 900 }) }), {
      maxLength: 60,
    })
    .chain((sizes) => {
      const index = fc.nat({ max: Math.max(0, sizes.length - 1) });
      const nodes = sizes.map((size, at) => ({ key: String(at), ...size }));
      const links = fc.array(fc.record({ from: index.map(String), to: index.map(String) }), { maxLength: 200 });
      return fc.record({ sizes: fc.constant(nodes), links });
    });

  const overlap = (a: Box, b: Box): boolean =>
    a.x < b.x + b.width - 1e-6 &&
    b.x < a.x + a.width - 1e-6 &&
    a.y < b.y + b.height - 1e-6 &&
    b.y < a.y + a.height - 1e-6;

  it("Every box is inside the diagram and none overlaps another, with cycles and loops", () => {
    fc.assert(
      fc.property(graph, ({ sizes, links }) => {
        const { width, height, boxes } = layoutOf(sizes, links);
        expect([...boxes.keys()].sort()).toEqual(sizes.map((size) => size.key).sort());
        const all = [...boxes.values()];
        for (const box of all) {
          expect(box.x).toBeGreaterThanOrEqual(0);
          expect(box.y).toBeGreaterThanOrEqual(-1e-6);
          expect(box.x + box.width).toBeLessThanOrEqual(width + 1e-6);
          expect(box.y + box.height).toBeLessThanOrEqual(height + 1e-6);
        }
        for (const [at, box] of all.entries()) {
          for (const other of all.slice(at + 1)) expect(overlap(box, other), `${box.key} ${other.key}`).toBe(false);
        }
      }),
    );
  });

  it("A referenced box stands left of the boxes that reference it", () => {
    fc.assert(
      fc.property(graph, ({ sizes, links }) => {
        // Few levels, because long chains of references continue in a new row.
        const levelOf = (key: string): number => Number(key) % 3;
        const forward = links.filter(({ from, to }) => levelOf(from) > levelOf(to));
        const { boxes } = layoutOf(sizes, forward);
        for (const { from, to } of forward) expect(boxes.get(to)?.x).toBeLessThan(boxes.get(from)?.x ?? 0);
      }),
    );
  });

  it("A long chain of references fills rows below each other", () => {
    const sizes = Array.from({ length: 300 }, (_, at) => ({ key: String(at), width: 200, height: 100 }));
    const links = sizes.slice(1).map(({ key: from }, at) => ({ from, to: String(at) }));
    const { width, height } = layoutOf(sizes, links);
    expect(width / height).toBeGreaterThan(0.5);
    expect(width / height).toBeLessThan(4);
  });
});

describe("A diagram as a file", () => {
  it("Names of tables and columns are escaped text in the file", () => {
    const hostile = `</text><script>alert("1")</script>&\u0001\ud800`;
    const model = modelOf({ ...source, tables: [] }, [outline(hostile, [hostile], { primary_key: [] })]);
    const drawing = drawingOf(selectionOf(model, [...model.tables.values()], null), "all", null);
    const file = svgFile(drawing, (name) => `value of "${name}"`);
    expect(file).not.toContain("<script");
    expect(file).toContain("&lt;/text&gt;&lt;script&gt;");
    expect(file).toContain('font-family="value of &quot;--font&quot;"');
    expect(file).not.toContain("var(");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the characters that the file must not contain
    expect(file).not.toMatch(/[\u0001]|\p{Surrogate}/u);
  });
});
