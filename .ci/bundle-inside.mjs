// Keeps a bundle to itself: at run time it loads Node's own modules and what it names as external, and nothing that
// happens to lie in a `node_modules` folder above it.
import { isBuiltin } from "node:module";

/** Packages that others load when they are installed, and do without when not. */
const optional = ["bufferutil", "utf-8-validate", "pg-native", "supports-color"];

/** Where pino starts threads with code that it finds by name. The log is written by the thread that makes it. */
const transports = /[\\/]pino[\\/]lib[\\/]transport\.js$/;

const absent = {
  name: "absent",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^(?:${optional.join("|")})$`) }, ({ path }) => ({ namespace: "absent", path }));
    onLoad({ filter: /.*/, namespace: "absent" }, ({ path }) => ({ contents: notFound(JSON.stringify(path)) }));
    onLoad({ filter: transports }, () => ({
      contents: 'module.exports = () => { throw new Error("pino: transports are not part of this build"); };',
    }));
  },
};

/** A statement that fails as Node's `require` does for a package that is not installed. */
const notFound = (name) =>
  `throw Object.assign(new Error("Cannot find module " + ${name}), { code: "MODULE_NOT_FOUND" });`;

/** Options of esbuild. Bundled CommonJS packages call `require`, which finds Node's own modules and no others. */
export const inBundle = {
  plugins: [absent],
  banner: {
    js: `const require = (name) => { const found = process.getBuiltinModule(name); if (found) return found; ${notFound("name")} };`,
  },
};

/**
 * @param metafile what esbuild says of the bundle
 * @param external packages that it may load, as esbuild's option names them
 * @throws Error when it loads others
 */
export function refuseOutside({ outputs }, external) {
  // Names with `node:` are never looked for in folders, those of newer versions of Node neither.
  const isOfNode = (path) => path.startsWith("node:") || isBuiltin(path);
  const isExternal = (path) =>
    external.some((name) => (name.endsWith("*") ? path.startsWith(name.slice(0, -1)) : path === name));
  const outside = Object.values(outputs).flatMap(({ imports }) =>
    imports.filter((each) => each.external && !isOfNode(each.path) && !isExternal(each.path)),
  );
  if (outside.length === 0) return;
  const names = [...new Set(outside.map(({ path }) => path))].join(", ");
  throw new Error(
    `the bundle would load ${names} from wherever it is found: add it to the bundle, or mark it as absent`,
  );
}
