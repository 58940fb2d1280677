/** Rules that cannot be loaded. The message is `line:column: reason`; both numbers count from 1. */
export class RulesLoadError extends Error {
  constructor(
    reason: string,
    readonly line: number,
    readonly column: number,
  ) {
    super(`${line}:${column}: ${reason}`)
    this.name = 'RulesError'
  }
}

/** Returns a RulesLoadError at an offset of a text. */
export const createLoadError = (text: string, offset: number, reason: string): RulesLoadError => {
  const { line, column } = findLineAndColumn(text, offset)
  return new RulesLoadError(reason, line, column)
}

/** Returns the line and column of an offset in a text, both counted from 1. */
export const findLineAndColumn = (
  text: string,
  offset: number,
): { line: number; column: number } => {
  const before = text.slice(0, offset)
  const lineStart = before.lastIndexOf('\n') + 1
  let line = 1
  for (let i = before.indexOf('\n'); i !== -1; i = before.indexOf('\n', i + 1)) line++
  return { line, column: offset - lineStart + 1 }
}
