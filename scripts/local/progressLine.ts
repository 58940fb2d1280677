const INTERVAL_MS = 10_000

/**
 * Shows the progress of a long command: on a terminal in one line that is rewritten, otherwise in
 * occasional lines.
 */
export interface ProgressLine {
  show(text: string): void
  /** Prints a line of its own above the progress. */
  print(line: string): void
}

const createProgressLine = (out: NodeJS.WriteStream): ProgressLine & { end(): void } => {
  let width = 0
  let printedAt = -INTERVAL_MS
  const end = () => {
    if (width > 0) out.write('\n')
    width = 0
  }
  return {
    end,
    print(line) {
      end()
      console.log(line)
    },
    show(text) {
      if (out.isTTY) {
        out.write(`\r${text.padEnd(width)}`)
        width = text.length
      } else if (performance.now() - printedAt >= INTERVAL_MS) {
        printedAt = performance.now()
        out.write(`${text}\n`)
      }
    },
  }
}

/** Calls `work` with a progress line, and ends the line when the work ends. */
export const withProgressLine = async <Result>(
  work: (line: ProgressLine) => Promise<Result>,
): Promise<Result> => {
  const line = createProgressLine(process.stderr)
  return work(line).finally(() => line.end())
}
