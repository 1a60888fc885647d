// Loaded into a server (`--import`) that is to die without warning. The parent says when over IPC: `{port, writes, when}`
// kills the process `before` or `after` so many writes to that port from then on.
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
