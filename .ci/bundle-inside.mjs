// Keeps a bundle to itself: at run time it loads Node's own modules and what it names as external, and nothing that
// happens to lie in a `node_modules` folder above it.
import { isBuiltin } from "node:module";

/** Packages that others load when they are installed, and do without when not. */
const optional = ["bufferutil", "utf-8-validate", "pg-native", "supports-color"];

/** Parts of packages that are loaded with them and never called here. */
const unused = [
  // Starts threads with code that it finds by name. The log is written by the thread that makes it.
  { path: /[\\/]pino[\\/]lib[\\/]transport\.js$/, message: "pino: transports are not part of this build" },
  // Writes to files. The log has a stream of its own.
  { path: /[\\/]sonic-boom[\\/]index\.js$/, message: "sonic-boom: files are not part of this build" },
  // Compile JSON Schemas: routes have none.
  {
    path: /[\\/]@fastify[\\/](?:ajv-compiler|fast-json-stringify-compiler)[\\/]index\.js$/,
    message: "fastify: compilers of JSON Schema are not part of this build",
  },
  {
    path: /[\\/]undici[\\/]lib[\\/]dispatcher[\\/]client-h2\.js$/,
    message: "undici: HTTP/2 is not part of this build",
  },
  // Reads forms and files, and brings `fetch` with it. Calls have bodies of text.
  {
    path: /[\\/]undici[\\/]lib[\\/]web[\\/]fetch[\\/]body\.js$/,
    message: "undici: forms are not part of this build",
    name: "extractBody",
  },
];

const absent = {
  name: "absent",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^(?:${optional.join("|")})$`) }, ({ path }) => ({ namespace: "absent", path }));
    onLoad({ filter: /.*/, namespace: "absent" }, ({ path }) => ({ contents: notFound(JSON.stringify(path)) }));
    for (const { path, message, name } of unused) {
      const exported = name === undefined ? "module.exports" : `module.exports.${name}`;
      onLoad({ filter: path }, () => ({
        contents: `${exported} = function () { throw new Error(${JSON.stringify(message)}); };`,
      }));
    }
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
