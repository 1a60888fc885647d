// Loaded into a server (`--import`) that a test kills without warning. The parent process sends `{port, writes, when}`
// over IPC: from then on, writes to the port are counted, and the process is killed `before` or `after` the given one.
import { Socket } from "node:net";

let plan;
process.on("message", (message) => {
  plan = { ...message, seen: 0 };
  process.send("armed");
});

const { _writeGeneric: write } = Socket.prototype;
Socket.prototype._writeGeneric = function (...args) {
  const isLast = plan !== undefined && this.remotePort === plan.port && ++plan.seen === plan.writes;
  if (isLast && plan.when === "before") process.kill(process.pid, "SIGKILL");
  const result = write.apply(this, args);
  if (isLast) process.kill(process.pid, "SIGKILL");
  return result;
};
