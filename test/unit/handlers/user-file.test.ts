/** Files of handlers after changes of the metadata: only types and imports are updated. */
import { beforeAll, describe, expect, it } from "vitest";
import { emitHandlerFile } from "../../../compiler/handlers/emit-handlers.ts";
import type { Handler } from "../../../compiler/handlers/handlers.ts";
import { type UserFiles, userFiles } from "../../../runtime/cli/handlers/user-file.ts";

let files: UserFiles;
beforeAll(async () => {
  files = await userFiles();
});

const placeOrder: Handler = {
  kind: "action",
  name: "place_order",
  label: "action place_order",
  functionName: "placeOrder",
  localName: "placeOrder",
  path: "actions/place_order.ts",
  payload: "PlaceOrderPayload",
  result: { kind: "named", name: "Order" },
  secrets: [],
};
/** Another output type, and a list of it. */
const purchases: Handler = {
  ...placeOrder,
  result: { kind: "list", item: { kind: "nullable", of: { kind: "named", name: "Purchase" } } },
};
const event: Handler = { ...placeOrder, kind: "event", result: null, path: "events/default/place_order.ts" };

const updated = (handler: Handler, text: string) => files.update(handler, text);

describe("Handler files of the user", () => {
  it("A handler file is unchanged while its handler is unchanged", () => {
    for (const handler of [placeOrder, purchases, event, { ...placeOrder, payload: null, result: null }]) {
      const text = emitHandlerFile(handler);
      expect(updated(handler, text)).toEqual({ text });
    }
  });

  it("An updated handler file receives new types and imports and keeps body, comments and layout", () => {
    const text = `#!/usr/bin/env node
// My own words.
import { randomUUID } from "node:crypto";
import type { HandlerContext, Order, PlaceOrderPayload } from "../generated.js";

/* kept */ const   prices = [1,2,3]

/** Mine. */
export async function placeOrder({ input, session_variables: session }: PlaceOrderPayload, context: HandlerContext): Promise<Order> {
	// Order, by name, in a comment
	return { id: randomUUID(), parts: input.items.map(() => prices[0]) } // odd; layout
}
`;
    expect(updated(purchases, text).text).toBe(
      text
        .replace(
          "import type { HandlerContext, Order, PlaceOrderPayload }",
          "import type { HandlerContext, PlaceOrderPayload, Purchase }",
        )
        .replace("Promise<Order>", "Promise<readonly (Purchase | null)[]>"),
    );
  });

  it("An updated handler file keeps imports that other code uses", () => {
    const text = `import type { Order, PlaceOrderPayload } from "../generated.js";
const last: Order[] = [];
export async function placeOrder(payload: PlaceOrderPayload): Promise<Order> { return last[0]; }
`;
    const result = updated(purchases, text).text;
    expect(result).toContain("import type { Order, PlaceOrderPayload, Purchase }");
    expect(result).toContain("const last: Order[] = [];");
  });

  it.each([
    [
      "an alias",
      'import type { PlaceOrderPayload as P, Purchase as Bought } from "../generated.ts";\n',
      "(p: P): Promise<readonly (Bought | null)[]>",
    ],
    [
      "a namespace",
      'import type * as api from "../generated.js";\n',
      "(p: api.PlaceOrderPayload): Promise<readonly (api.Purchase | null)[]>",
    ],
  ])("An updated handler file supports %s", (_, imports, signature) => {
    const text = `${imports}export async function placeOrder(p: number): Promise<string> {}\n`;
    expect(updated(purchases, text).text).toBe(`${imports}export async function placeOrder${signature} {}\n`);
  });

  it("An updated handler file does not confuse the user's names with generated ones", () => {
    const text = `import type { PlaceOrderPayload } from "../generated.js";
interface Purchase { own: true }
export async function placeOrder(payload: PlaceOrderPayload): Promise<never[]> { return []; }
`;
    const result = updated(purchases, text).text;
    expect(result).toContain("Purchase as GeneratedPurchase");
    expect(result).toContain("Promise<readonly (GeneratedPurchase | null)[]>");
    expect(result).toContain("interface Purchase { own: true }");
  });

  it.each([
    ["a constant", "export const placeOrder = async (payload: Old): Promise<Old> => ({});", "Promise<Order> => ({});"],
    ["no promise", "export function placeOrder(payload: Old): Old { return {}; }", "): Order { return {}; }"],
    ["no result type", "export function placeOrder(payload: Old) { return {}; }", "PlaceOrderPayload) { return {}; }"],
    [
      "no parameter",
      "export async function placeOrder(): Promise<Old> { return {}; }",
      "placeOrder(): Promise<Order> {",
    ],
  ])("A handler may be declared with %s", (_, text, expected) => {
    const result = updated(placeOrder, `${text}\n`).text;
    expect(result).toContain(expected);
    expect(result).toMatch(/^import type \{.*Order.*\} from "\.\.\/generated\.js";\n/);
  });

  it("The result type of an event handler is kept, because its result is unused", () => {
    const text = `import type { PlaceOrderPayload } from "../../generated.js";
export async function placeOrder(payload: PlaceOrderPayload): Promise<string> { return ""; }
`;
    expect(updated(event, text)).toEqual({ text });
  });

  it.each([
    ["the syntax is invalid", "export async function placeOrder( {"],
    ["there is no exported function placeOrder", "export async function placeOrders() {}"],
    ["there is no exported function placeOrder", "async function placeOrder() {}"],
    ["there is no exported function placeOrder", "export const placeOrder = make();"],
  ])("A handler file is reported and left unchanged: %s", (problem, text) => {
    expect(updated(placeOrder, text)).toEqual({ text, problem });
  });
});
