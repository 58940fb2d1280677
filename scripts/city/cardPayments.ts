import { isStartedCheckout, type StartedCheckout } from '~/domain/api/api'
import { err, ok } from '~/domain/api/result'
import type { Random } from '~/domain/data/seededRandom'
import {
  type CallResult,
  reportUnexpectedFailure,
  retryUnanswered,
  type SimulatedUser,
} from './simulatedUser'
import type { Simulation } from './simulation'
import { isLongRun } from './simulationPlan'

/** The test provider's cards: most pay; others pay late, twice, after a code, or not at all. */
const TEST_CARDS = ['pays', 'pays', 'pays', 'late', 'twice', 'challenge', 'declined'] as const

/**
 * Maximum milliseconds for a late webhook. One that a killed process did not send arrives only with
 * the reconciliation, minutes later, so payers give up before it.
 */
const SETTLEMENT_TIMEOUT_MS = { long: 60_000, short: 15_000 }

const postForm = async (
  simulation: Simulation,
  url: string,
  fields: Record<string, string>,
): Promise<CallResult<number>> => {
  try {
    const { status } = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams(fields),
      redirect: 'manual',
      signal: simulation.signal,
    })
    if (status < 400) return ok(status)
    if (status === 429) return err({ key: 'too_many_requests' })
    if (status === 503) return err({ key: 'maintenance' })
    if (status < 500) return err({ key: `status ${status}` })
    reportUnexpectedFailure(simulation, 'pay_test', `status ${status}`)
  } catch {
    // The process was killed.
  }
  return err({ key: 'unanswered' })
}

/** Submits a form of the hosted page, and again while the page does not answer. */
const submitForm = (
  simulation: Simulation,
  url: string,
  fields: Record<string, string>,
): Promise<CallResult<number>> =>
  retryUnanswered(simulation, async () => {
    const began = performance.now()
    const response = await postForm(simulation, url, fields)
    const ending = response.ok ? 'ok' : response.error.key
    simulation.recorder.called('pay_test', performance.now() - began, ending)
    return response
  })

/** Fills in the hosted page; returns true when the payment is settled. */
const fillHostedPage = async (
  simulation: Simulation,
  person: SimulatedUser,
  random: Random,
  { payment_id, url }: StartedCheckout,
): Promise<boolean> => {
  const own = { order_id: payment_id, cust_id: person.uid, choice: 'pay' }
  const card = random.pick(TEST_CARDS)
  if (card === 'late' || card === 'twice') simulation.recorder.mishap(`payment message ${card}`)
  if (card === 'declined') simulation.recorder.mishap('card declined')
  const fields = { ...own, step: 'card', card }
  // The rider may tap Pay twice, or the browser may send the form twice.
  const taps = random.chance(0.1) ? 2 : 1
  if (taps > 1) simulation.recorder.mishap('doubled tap on the payment page')
  await Promise.all(Array.from({ length: taps }, () => submitForm(simulation, url, fields)))
  if (card === 'challenge') {
    const challenge = { ...own, step: 'challenge' }
    if (random.chance(0.2)) await submitForm(simulation, url, { ...challenge, code: '1' })
    await submitForm(simulation, url, { ...challenge, code: '123456' })
  }
  if (card === 'declined') {
    if (random.chance(0.5)) return false
    await submitForm(simulation, url, { ...fields, card: 'pays' })
  }
  return waitForSettlement(simulation, person, payment_id)
}

/** Waits for the payment's status, as the return page does. */
const waitForSettlement = (
  simulation: Simulation,
  person: SimulatedUser,
  payment: string,
): Promise<boolean> =>
  new Promise((resolve) => {
    const settle = (paid: boolean) => {
      clearTimeout(timer)
      // The first value may arrive before `subscribe` returns.
      queueMicrotask(() => end())
      simulation.signal.removeEventListener('abort', give)
      resolve(paid)
    }
    const give = () => settle(false)
    const timeout = SETTLEMENT_TIMEOUT_MS[isLongRun(simulation.plan) ? 'long' : 'short']
    const timer = setTimeout(give, timeout)
    simulation.signal.addEventListener('abort', give)
    let end: () => void = () => undefined
    end = person.subscribe<string>(`payments/${payment}/status`, (status) => {
      if (status === 'paid') settle(true)
    })
  })

/** Pays a booking by card; returns false when the payment fails. */
export const payByCard = async (
  simulation: Simulation,
  person: SimulatedUser,
  random: Random,
  what: { booking_id: string; promo?: string },
): Promise<boolean> => {
  const started = await person.callWithRetry('start_payment', {
    ...what,
    payment_mode: 'card',
    provider: 'test',
  })
  return (
    started.ok &&
    isStartedCheckout(started.value) &&
    fillHostedPage(simulation, person, random, started.value)
  )
}

/** Tops up the wallet by card. */
export const topUpWallet = async (
  simulation: Simulation,
  person: SimulatedUser,
  random: Random,
): Promise<void> => {
  const amount = random.pick([200, 500, 1000])
  const input = { payment_mode: 'topup', provider: 'test', amount }
  const started = await person.callWithRetry('start_payment', input)
  if (!started.ok || !isStartedCheckout(started.value)) return
  if (!(await fillHostedPage(simulation, person, random, started.value))) return
  simulation.recorder.entered({ uid: person.uid, key: `${started.value.payment_id}-topup`, amount })
}
