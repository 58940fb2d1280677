/** Rules that cannot be loaded; worded `line:column: reason`, both counting from 1. */
export class RulesError extends Error {
  constructor(
    reason: string,
    readonly line: number,
    readonly column: number,
  ) {
    super(`${line}:${column}: ${reason}`)
    this.name = 'RulesError'
  }
}

/** A RulesError at an offset of a text. */
export const errorAt = (text: string, offset: number, reason: string): RulesError => {
  const { line, column } = locate(text, offset)
  return new RulesError(reason, line, column)
}

/** The line and column, both from 1, of an offset in a text. */
export const locate = (text: string, offset: number): { line: number; column: number } => {
  const before = text.slice(0, offset)
  const lineStart = before.lastIndexOf('\n') + 1
  let line = 1
  for (let i = before.indexOf('\n'); i !== -1; i = before.indexOf('\n', i + 1)) line++
  return { line, column: offset - lineStart + 1 }
}
