/** One expression of the rules: its position in its rule, and its results so far. */
export interface SourceRange {
  readonly start: number
  readonly end: number
  true: number
  false: number
  error: number
}

/**
 * A runtime error of a rule. It makes the whole rule false: `bad || true` does not allow. It is one
 * reused object and not an Error. Rules have thousands of places that may throw it, and requests
 * reach them often, so stack traces would cost too much.
 */
export class RuleError {
  constructor(readonly site: SourceRange) {}
}
