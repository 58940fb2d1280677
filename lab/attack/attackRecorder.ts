import type { ProcessMemory } from './processMemory'
import type { HttpResponse, HttpRequest } from './httpRequest'
import type { AttackPlan } from './attackPlan'
import { SURFACES, type Surface } from './surfaces'
import type { Seconds } from '~/domain/language/units'

/** The result of an attack run. Every line in `problems` should not have happened. */
export interface AttackReport {
  seed: number
  sentCounts: Record<Surface, number>
  /** Number of responses by surface and status. */
  answers: Record<string, number>
  problems: string[]
  /** Number of probes that ran. */
  probes: number
  /** Faults of the Emulator Suite itself, which is not deployed. */
  emulatorFaults: Record<string, number>
  violations: string[]
  memory: { before: ProcessMemory[]; after: ProcessMemory[] }
  seconds: Seconds
}

export interface AttackObserver {
  onProgress?(sentCount: number, of: number, onProblem: number): void
  /** Receives each problem when it is found. */
  wrong?(line: string): void
}

const MAX_PROBLEMS = 40
/** Node.js accepts 16 kB of request headers, including the token. */
const LONG_HEAD_BYTES = 8000
/** Matches a stack trace or a file path of the server. */
const LEAK_PATTERN = /\n\s+at .+:\d+:\d+|&nbsp;at |node_modules|\.[jt]s:\d+:\d+/

const describeRequest = ({ method, path, body }: HttpRequest) =>
  `${method} ${path.replace(/(auth|pw)=[^&]+/, '$1=…').slice(0, 300)} ${body?.toString('utf8').slice(0, 300) ?? ''}`

/** Checks every response and records what should not have happened. */
export class AttackRecorder {
  readonly report: AttackReport

  constructor(
    private readonly plan: AttackPlan,
    private readonly watch: AttackObserver,
  ) {
    this.report = {
      seed: plan.seed,
      sentCounts: Object.fromEntries(
        SURFACES.map((surface) => [surface, 0]),
      ) as AttackReport['sentCounts'],
      answers: {},
      problems: [],
      probes: 0,
      emulatorFaults: {},
      violations: [],
      memory: { before: [], after: [] },
      seconds: 0,
    }
  }

  recordProblem(line: string): void {
    if (this.report.problems.length === MAX_PROBLEMS) return
    this.report.problems.push(line)
    this.watch.wrong?.(line)
  }

  /** Counts one attempt on a surface. */
  countAttempt(surface: Surface): void {
    const total = (counts: Record<Surface, number>) =>
      SURFACES.reduce((sum, one) => sum + counts[one], 0)
    this.report.sentCounts[surface] += 1
    const { sentCounts, problems } = this.report
    this.watch.onProgress?.(total(sentCounts), total(this.plan.requests), problems.length)
  }

  countResponse(surface: Surface, how: string | number): void {
    increment(this.report.answers, `${surface} ${how}`)
  }

  /** Checks a response of the database or of a function. */
  checkResponse(surface: Surface, request: HttpRequest, { status, text }: HttpResponse): void {
    this.countResponse(surface, status)
    if (status >= 500)
      this.recordProblem(`${status} for ${describeRequest(request)} → ${text.slice(0, 300)}`)
    else if (status >= 400 && LEAK_PATTERN.test(text))
      this.recordProblem(
        `a stack or path in ${status} for ${describeRequest(request)} → ${text.slice(0, 400)}`,
      )
    else this.checkConnection(request, { status, text })
  }

  /** Checks a response of the suite's own file storage, which is not deployed. */
  checkEmulatorResponse(
    surface: Surface,
    request: HttpRequest,
    { status, text }: HttpResponse,
  ): void {
    this.countResponse(surface, status)
    if (status >= 500)
      increment(this.report.emulatorFaults, `${request.method} ${surface} ${status}`)
    else this.checkConnection(request, { status, text })
  }

  private checkConnection(
    request: HttpRequest,
    { status, text }: Pick<HttpResponse, 'status' | 'text'>,
  ): void {
    // The server answers an oversized request head, but the connection may close before the client
    // reads the response.
    if (status === 0 && request.path.length < LONG_HEAD_BYTES)
      this.recordProblem(`no answer (${text}) for ${describeRequest(request)}`)
  }
}

const increment = (counts: Record<string, number>, name: string) => {
  counts[name] = (counts[name] ?? 0) + 1
}
