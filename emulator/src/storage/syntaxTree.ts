/** A parsed rules file. `at` is always the start offset of a part in the text. */
export interface RulesFile {
  readonly version: 1 | 2
  readonly functions: readonly FunctionDeclaration[]
  readonly matches: readonly Match[]
}

export interface Match {
  readonly at: number
  readonly path: readonly PathSegment[]
  readonly functions: readonly FunctionDeclaration[]
  readonly allows: readonly Allow[]
  readonly matches: readonly Match[]
}

export type PathSegment =
  | { readonly kind: 'literal'; readonly text: string }
  /** `{name}` is one segment, `{name=**}` all that is left or, with version 2, any number. */
  | { readonly kind: 'one' | 'many'; readonly name: string; readonly at: number }

export interface Allow {
  readonly at: number
  readonly methods: readonly string[]
  /** Null when the statement has no condition and therefore always allows. */
  readonly condition: Expression | null
}

export interface FunctionDeclaration {
  readonly at: number
  readonly name: string
  readonly parameters: readonly string[]
  readonly variables: readonly { readonly name: string; readonly value: Expression }[]
  readonly result: Expression
}

export type Expression = { readonly at: number } & (
  | { readonly kind: 'literal'; readonly value: null | boolean | bigint | number | string }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [Expression, Expression])[] }
  | { readonly kind: 'unary'; readonly operator: string; readonly operand: Expression }
  | {
      readonly kind: 'binary'
      readonly operator: string
      readonly left: Expression
      readonly right: Expression
    }
  | { readonly kind: 'is'; readonly operand: Expression; readonly type: string }
  | {
      readonly kind: 'conditional'
      readonly test: Expression
      readonly whenTrue: Expression
      readonly whenFalse: Expression
    }
  | { readonly kind: 'member'; readonly object: Expression; readonly name: string }
  | { readonly kind: 'index'; readonly object: Expression; readonly index: Expression }
  | {
      readonly kind: 'slice'
      readonly object: Expression
      readonly from: Expression
      readonly to: Expression
    }
  | { readonly kind: 'call'; readonly name: string; readonly arguments: readonly Expression[] }
  | {
      readonly kind: 'method'
      readonly object: Expression
      readonly name: string
      readonly arguments: readonly Expression[]
    }
)

/** A rules file that cannot be loaded. `at` is the offset of the error in its text. */
export class StorageRulesSyntaxError extends Error {
  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message)
    this.name = 'StorageRulesError'
  }
}
