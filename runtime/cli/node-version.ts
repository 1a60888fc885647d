/** The versions of Node that run the engine. Uses only syntax and functions of Node 12, see `engine.ts`. */

/** The first supported version, as in `engines` of package.json. */
const minMajor = 20;
const minMinor = 19;

/**
 * Returns the reason why a version of Node cannot run the engine, with a remedy; `null` if it can.
 * @param version such as `20.19.0`
 */
export function versionProblem(version: string): string | null {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > minMajor || (major === minMajor && minor >= minMinor)) return null;
  return `Node ${version} ${remedy}`;
}

const remedy =
  `is too old: engine requires Node ${minMajor}.${minMinor} or newer; install Node 24 from ` +
  "https://nodejs.org, or with `nvm install 24`";

/**
 * Returns a statement for the beginning of a module, which ends or fails with the same reason on an old Node. It runs
 * before the module's other statements, but after its imports are linked.
 * @param use a program ends with exit code 1; a library throws, because its host decides
 */
export function versionCheckCode(use: "program" | "library"): string {
  const reason = `"Node " + process.versions.node + ${JSON.stringify(` ${remedy}`)}`;
  const refusal =
    use === "program" ? `console.error("error: " + ${reason}); process.exit(1);` : `throw new Error(${reason});`;
  const isOld = `major < ${minMajor} || (major === ${minMajor} && minor < ${minMinor})`;
  return `{ const [major, minor] = process.versions.node.split(".").map(Number); if (${isOld}) { ${refusal} } }`;
}
