/**
 * Runs a script and ends its process with the number it answers. What it throws is a sentence for a person. Sockets, watchers
 * and browsers that are still open must not keep it waiting.
 */
export const runToEnd = async (main: () => number | Promise<number>): Promise<never> => {
  try {
    process.exitCode = await main()
  } catch (error) {
    console.error(`\n${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
  process.exit()
}
