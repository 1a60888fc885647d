/** Reloads a program 250 times, each time with one changed module. `heap.test.ts` runs it with `--expose-gc`. */
import { CodeCache } from "../../../../runtime/control/load/code-cache.ts";
import { ModuleLoader } from "../../../../runtime/control/load/module-loader.ts";

const modules = 20;
const reloads = 250;
const filler = Array.from({ length: 200 }, (_, i) => `  ["column_${i}", "type_${i}", ${i}],`).join("\n");

const cache = new CodeCache();

/** Loads a generation in which one module has changed. */
function reload(number: number): void {
  const module = (path: string) => {
    const index = Number(/\d+/.exec(path)?.[0]);
    const version = Math.floor((number + modules - 1 - index) / modules);
    const code = `const { make } = require("engine/support");\nexports.table = make([\n${filler}\n]);\nexports.version = ${version};\n`;
    return { code, hash: `${index} ${version}` };
  };
  const loader = new ModuleLoader({
    program: { module, hashOf: (path) => module(path).hash },
    support: { make: (rows: unknown[]) => rows },
    cache,
  });
  for (let i = 0; i < modules; i++) loader.require(`tables/t${i}.ts`);
}

async function heapMegabytes(): Promise<number> {
  for (let i = 0; i < 3; i++) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return process.memoryUsage().heapUsed / 2 ** 20;
}

for (let i = 0; i < 2 * modules; i++) reload(i);
const before = await heapMegabytes();
for (let i = 0; i < reloads; i++) reload(2 * modules + i);
const after = await heapMegabytes();
console.log(JSON.stringify({ before, after }));
