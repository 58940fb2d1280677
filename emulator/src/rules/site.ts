/** One expression of the rules and how it has come out so far; line and column count from 1. */
export interface Site {
  readonly line: number
  readonly column: number
  readonly text: string
  true: number
  false: number
  error: number
}

/**
 * A runtime error of a rule. It ends the whole rule, which then counts as false: `bad || true` does
 * not allow. Each site throws the same object again and again, because making one is dear.
 */
export class Failure extends Error {
  constructor(readonly site: Site) {
    super(`Runtime error in '${site.text}'`)
    this.name = 'Failure'
  }
}
