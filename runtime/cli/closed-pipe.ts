/** A reader of the output that has seen enough, `head` for example, is no failure. */
export function tolerateClosedPipe(): void {
  if (!process.stdout.listeners("error").includes(ignoreClosedPipe)) process.stdout.on("error", ignoreClosedPipe);
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}
