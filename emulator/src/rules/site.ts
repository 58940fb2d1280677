/** One expression of the rules, by where it stands in its rule, and how it has come out so far. */
export interface Site {
  readonly start: number
  readonly end: number
  true: number
  false: number
  error: number
}

/**
 * A runtime error of a rule. It ends the whole rule, which then counts as false: `bad || true` does
 * not allow. It is thrown, the same object again and again, but no Error: rules have thousands of
 * places where one can happen, and requests reach them often; stack traces would cost too much.
 */
export class Failure {
  constructor(readonly site: Site) {}
}
