/** Writes one line for the person who runs the server; never a stored value or a token. */
export const log = (line: string): void => {
  process.stdout.write(`${new Date().toISOString()} ${line}\n`)
}

/** Returns the error as one line. */
export const errorMessage = (error: unknown): string =>
  error instanceof Error
    ? (error.stack ?? error.message).split('\n').slice(0, 4).join(' ')
    : String(error)
