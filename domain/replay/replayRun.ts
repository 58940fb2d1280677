import { isDispatchDue } from '../booking/deadlines'
import { findNearestDrivers } from '../dispatch/dispatch'
import type { Tree } from '../data/memoryTree'
import type { PolicyContext } from './policies'
import { beginDuty, endDuty } from './replayDuty'
import { runScheduledJob } from './replayJob'
import { dispatchOffers } from './replayOffers'
import { ReplayState, type ReplayOptions, type RequestResult } from './replayState'
import type { ReplayRequest } from './scenario'

/** Milliseconds between two runs of the scheduled job. */
const JOB_INTERVAL_MS = 15_000
/** Milliseconds after which a rider whose booking was refused tries again. */
export const RETRY_MS = 30_000

export interface ReplayResult {
  requests: RequestResult[]
  /** The data at the end; of finished bookings only with `keepsRecords`. */
  tree: Readonly<Tree>
}

/** Returns what a policy sees of a replay and the ways in which it acts. */
const createPolicyContext = (replay: ReplayState): PolicyContext => {
  const { platform } = replay
  return {
    platform,
    travel: replay.options.travel,
    getTime: () => replay.now,
    listWaiting: () =>
      [...replay.waiting]
        .sort()
        .flatMap((id) => platform.readBooking(id) ?? [])
        .filter((booking) => isDispatchDue(booking, replay.now)),
    dispatch: (id, input) => dispatchOffers(replay, id, input),
    releaseExpired: (id, driver) => {
      const other = platform.readBooking(id)
      if (!other) return
      platform.applyAsSystem(
        id,
        { event: 'withdraw', driver, isExpired: true, revision: other.revision },
        replay.now,
      )
    },
  }
}

const giveUp = (replay: ReplayState, id: string): void => {
  if (!replay.waiting.has(id)) return
  const before = replay.listRequested(id)
  replay.platform.applyAsRider(id, { event: 'cancel', reason: 'waited_too_long' }, replay.now)
  replay.finish(id, 'given_up')
  replay.policyRun.offerToFreed(before)
}

/** Books a trip, or tries again later when no car is free and the rider is still patient. */
const book = (replay: ReplayState, request: ReplayRequest): void => {
  const { platform, now } = replay
  const { id, pickup, carType, tripdate } = request
  const near = findNearestDrivers(
    { ...platform.listAvailable(), ...platform.listEnding(now) },
    { from: pickup, carType },
    platform.settings,
  )
  const from = Math.max(request.at, tripdate ?? 0)
  const patientUntil = from + replay.toMs(request.patienceSeconds)
  const refusal = platform.book(request, near.length > 0, now)
  if (refusal !== undefined) {
    if (refusal === 'no_driver_found_alert_messege' && now + RETRY_MS < patientUntil)
      replay.addEventAfter(RETRY_MS, () => book(replay, request))
    else replay.finish(id, 'refused')
    return
  }
  replay.waiting.add(id)
  replay.addEvent(patientUntil, () => giveUp(replay, id))
  const booking = platform.readBooking(id)
  if (booking && isDispatchDue(booking, now)) replay.policyRun.search(id)
}

/** Runs the scheduled job now and then again, as long as a request has no outcome. */
const repeatScheduledJob = (replay: ReplayState): void => {
  runScheduledJob(replay)
  if (replay.openCount > 0) replay.addEventAfter(JOB_INTERVAL_MS, () => repeatScheduledJob(replay))
}

/** Plays the requests of a scenario under one policy. The same options give the same result. */
export const runReplay = (options: ReplayOptions): ReplayResult => {
  const { requests, drivers } = options.scenario
  const replay = new ReplayState(options, (state) =>
    options.policy.start(createPolicyContext(state)),
  )
  for (const { uid, duty } of drivers)
    for (const { from, to, place } of duty) {
      replay.addEvent(from, () => beginDuty(replay, uid, place, to))
      replay.addEvent(to, () => endDuty(replay, uid))
    }
  for (const request of requests) replay.addEvent(request.at, () => book(replay, request))
  if (requests.length > 0)
    replay.addEvent(Math.ceil(replay.now / JOB_INTERVAL_MS) * JOB_INTERVAL_MS, () =>
      repeatScheduledJob(replay),
    )
  replay.runEvents()
  return { requests: requests.map(({ id }) => replay.findResult(id)), tree: replay.platform.tree }
}
