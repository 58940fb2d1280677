/**
 * Runs a script and exits with the number it returns. Prints the message of an error, which is
 * written for the user. Does not wait for open sockets, watchers and browsers.
 */
export const runScript = async (main: () => number | Promise<number>): Promise<never> => {
  try {
    process.exitCode = await main()
  } catch (error) {
    console.error(`\n${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
  process.exit()
}
