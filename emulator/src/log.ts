/** Writes one line for whoever runs the server; never a value or a token of the data it holds. */
export const log = (line: string): void => {
  process.stdout.write(`${new Date().toISOString()} ${line}\n`)
}

/** What went wrong, in one line. */
export const reason = (error: unknown): string =>
  error instanceof Error
    ? (error.stack ?? error.message).split('\n').slice(0, 4).join(' ')
    : String(error)
