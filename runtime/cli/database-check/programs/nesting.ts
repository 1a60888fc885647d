/** A ladder of nested relationships, because databases limit the depth of statements and of JSON. */
import { type CheckContext, dataOf, expectEqual, type Program } from "../context.ts";

const depths = [1, 2, 4, 8, 16, 24, 32];

async function nested({ post }: CheckContext, depth: number): Promise<void> {
  const selection = Array.from({ length: depth }).reduce<string>((inner) => `id children { ${inner} }`, "id");
  const { node } = await dataOf(post, `{ node(where: {id: {_eq: 1}}) { ${selection} } }`);
  const expected = Array.from({ length: depth }, (_, i) => depth - i).reduce<object>(
    (inner, id) => ({ id, children: [inner] }),
    { id: depth + 1 },
  );
  expectEqual(node, [expected], "nested rows");
}

export const nesting: Program = (context) =>
  depths.map((depth) => ({ name: `${depth} levels`, run: () => nested(context, depth) }));
