/** Ignores EPIPE: a reader that closes the pipe early, such as `head`, does not cause a failure. */
export function tolerateClosedPipe(): void {
  if (!process.stdout.listeners("error").includes(ignoreClosedPipe)) process.stdout.on("error", ignoreClosedPipe);
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}
