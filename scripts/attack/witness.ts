import type { Held } from './memory'
import type { Answer, Asked } from './requests'
import type { Plan } from './run'
import { SURFACES, type Surface } from './surfaces'

/** What became of an attack. Everything in `wrong` should not have happened. */
export interface Report {
  seed: number
  sent: Record<Surface, number>
  /** How often each answer came, by surface and status. */
  answers: Record<string, number>
  wrong: string[]
  /** Faults of the Emulator Suite itself, which is not deployed. */
  foreign: Record<string, number>
  violations: string[]
  held: { before: Held[]; after: Held[] }
  seconds: number
}

export interface Watch {
  progress?(sent: number, of: number, wrong: number): void
  /** Hears at once of what should not have happened. */
  wrong?(line: string): void
}

const MOST_TOLD = 40
/** Node takes 16 kB of head, the token included. */
const LONG_HEAD = 8000
/** Where a stack or a path of the server's machine shows. */
const LEAK = /\n\s+at .+:\d+:\d+|&nbsp;at |node_modules|\.[jt]s:\d+:\d+/

const told = ({ method, path, body }: Asked) =>
  `${method} ${path.replace(/(auth|pw)=[^&]+/, '$1=…').slice(0, 300)} ${body?.toString('utf8').slice(0, 300) ?? ''}`

/** Sees every answer, and writes down what should not have happened. */
export class Witness {
  readonly report: Report

  constructor(
    private readonly plan: Plan,
    private readonly watch: Watch,
  ) {
    this.report = {
      seed: plan.seed,
      sent: Object.fromEntries(SURFACES.map((surface) => [surface, 0])) as Report['sent'],
      answers: {},
      wrong: [],
      foreign: {},
      violations: [],
      held: { before: [], after: [] },
      seconds: 0,
    }
  }

  wrong(line: string): void {
    if (this.report.wrong.length === MOST_TOLD) return
    this.report.wrong.push(line)
    this.watch.wrong?.(line)
  }

  /** Counts one more of a surface's attempts. */
  step(surface: Surface): void {
    const total = (counts: Record<Surface, number>) =>
      SURFACES.reduce((sum, one) => sum + counts[one], 0)
    this.report.sent[surface] += 1
    const { sent, wrong } = this.report
    this.watch.progress?.(total(sent), total(this.plan.requests), wrong.length)
  }

  answered(surface: Surface, how: string | number): void {
    count(this.report.answers, `${surface} ${how}`)
  }

  /** Judges an answer of the database or of a function. */
  judge(surface: Surface, asked: Asked, { status, text }: Answer): void {
    this.answered(surface, status)
    if (status >= 500) this.wrong(`${status} for ${told(asked)} → ${text.slice(0, 300)}`)
    else if (status >= 400 && LEAK.test(text))
      this.wrong(`a stack or path in ${status} for ${told(asked)} → ${text.slice(0, 400)}`)
    else this.hear(asked, { status, text })
  }

  /** Judges an answer of the suite's own store of files, which is not what is deployed. */
  judgeForeign(surface: Surface, asked: Asked, { status, text }: Answer): void {
    this.answered(surface, status)
    if (status >= 500) count(this.report.foreign, `${asked.method} ${surface} ${status}`)
    else this.hear(asked, { status, text })
  }

  private hear(asked: Asked, { status, text }: Pick<Answer, 'status' | 'text'>): void {
    // A head that is too long is answered, but the connection may be gone before the answer is read.
    if (status === 0 && asked.path.length < LONG_HEAD)
      this.wrong(`no answer (${text}) for ${told(asked)}`)
  }
}

const count = (counts: Record<string, number>, name: string) => {
  counts[name] = (counts[name] ?? 0) + 1
}
