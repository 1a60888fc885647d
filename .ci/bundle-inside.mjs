// Makes a bundle self-contained: at run time it loads only Node's own modules and packages declared as external, and
// nothing else from a `node_modules` folder above it.
import { isBuiltin } from "node:module";

/** Optional dependencies of bundled packages. */
const optional = ["bufferutil", "utf-8-validate", "pg-native", "supports-color"];

/** Modules that packages load and the engine never calls. */
const unused = [
  // Starts threads with modules that it resolves by name. The engine logs on its own thread.
  { path: /[\\/]pino[\\/]lib[\\/]transport\.js$/, message: "pino: transports are not part of this build" },
  // Writes to files. The log uses its own stream.
  { path: /[\\/]sonic-boom[\\/]index\.js$/, message: "sonic-boom: files are not part of this build" },
  // Compiles JSON Schemas, which the routes do not use.
  {
    path: /[\\/]@fastify[\\/](?:ajv-compiler|fast-json-stringify-compiler)[\\/]index\.js$/,
    message: "fastify: JSON Schema compilers are not part of this build",
  },
  {
    path: /[\\/]undici[\\/]lib[\\/]dispatcher[\\/]client-h2\.js$/,
    message: "undici: HTTP/2 is not part of this build",
  },
  // Reads forms and files, and imports `fetch`. Outbound calls send text bodies.
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

/** Returns a statement that throws like Node's `require` for a missing package. */
const notFound = (name) =>
  `throw Object.assign(new Error("Cannot find module " + ${name}), { code: "MODULE_NOT_FOUND" });`;

/** Options of esbuild. The `require` of bundled CommonJS packages finds only Node's own modules. */
export const inBundle = {
  plugins: [absent],
  banner: {
    js: `const require = (name) => { const found = process.getBuiltinModule(name); if (found) return found; ${notFound("name")} };`,
  },
};

/**
 * Checks that a bundle loads no other packages.
 *
 * @param metafile esbuild's description of the bundle
 * @param external packages that it may load, in the form of esbuild's option
 * @throws Error if it loads another package
 */
export function refuseUnbundled({ outputs }, external) {
  // Node never resolves names with `node:` in folders, even those that only newer versions know.
  const isOfNode = (path) => path.startsWith("node:") || isBuiltin(path);
  const isExternal = (path) =>
    external.some((name) => (name.endsWith("*") ? path.startsWith(name.slice(0, -1)) : path === name));
  const unbundled = Object.values(outputs).flatMap(({ imports }) =>
    imports.filter((each) => each.external && !isOfNode(each.path) && !isExternal(each.path)),
  );
  if (unbundled.length === 0) return;
  const names = [...new Set(unbundled.map(({ path }) => path))].join(", ");
  throw new Error(
    `the bundle would load ${names} from a node_modules folder: add it to the bundle, or list it as optional`,
  );
}
