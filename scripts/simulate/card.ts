import type { Random } from '~/domain/testing/random'
import { failed, type Person } from './person'
import type { Town } from './town'

interface Started {
  payment_id: string
  url: string
  amount: number
}

/** The test provider's cards: most pay; some late, twice, after a code, or not at all. */
const CARDS = ['pays', 'pays', 'pays', 'late', 'twice', 'challenge', 'declined'] as const

/** So long may a late message or a killed bank take, ms; the office's sweep asks the bank meanwhile. */
const SETTLING_MS = 60_000

const submit = async (
  town: Town,
  url: string,
  fields: Record<string, string>,
): Promise<boolean> => {
  const began = performance.now()
  const tell = (ending: string) =>
    town.observed.called('pay_test', performance.now() - began, ending)
  try {
    const page = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams(fields),
      redirect: 'manual',
      signal: town.signal,
    })
    if (page.status < 400) tell('ok')
    else if (page.status === 429) tell('too_many_requests')
    else if (page.status < 500) tell(`status ${page.status}`)
    else {
      tell('unanswered')
      failed(town, 'pay_test', `status ${page.status}`)
    }
    return page.status < 400
  } catch {
    tell('unanswered')
    return false
  }
}

/** Fills the hosted page in; true when the payment is settled in the end. */
const fill = async (
  town: Town,
  person: Person,
  random: Random,
  { payment_id, url }: Started,
): Promise<boolean> => {
  const own = { order_id: payment_id, cust_id: person.uid, choice: 'pay' }
  const card = random.pick(CARDS)
  if (card === 'late' || card === 'twice') town.observed.mishap(`payment message ${card}`)
  if (card === 'declined') town.observed.mishap('card declined')
  const fields = { ...own, step: 'card', card }
  // Somebody who taps Pay twice, and somebody whose browser did.
  const taps = random.chance(0.1) ? 2 : 1
  if (taps > 1) town.observed.mishap('doubled tap on the payment page')
  await Promise.all(Array.from({ length: taps }, () => submit(town, url, fields)))
  if (card === 'challenge')
    await submit(town, url, {
      ...own,
      step: 'challenge',
      code: random.chance(0.2) ? '1' : '123456',
    })
  if (card === 'declined') {
    if (random.chance(0.5)) return false
    await submit(town, url, { ...fields, card: 'pays' })
  }
  return settles(town, person, payment_id)
}

/** Waits for the truth, as the page one comes back to does. */
const settles = (town: Town, person: Person, payment: string): Promise<boolean> =>
  new Promise((resolve) => {
    const settle = (paid: boolean) => {
      clearTimeout(timer)
      // The first value may come before `hear` has answered.
      queueMicrotask(() => end())
      town.signal.removeEventListener('abort', give)
      resolve(paid)
    }
    const give = () => settle(false)
    const timer = setTimeout(give, SETTLING_MS)
    town.signal.addEventListener('abort', give)
    let end: () => void = () => undefined
    end = person.hear<string>(`payments/${payment}/status`, (status) => {
      if (status === 'paid') settle(true)
    })
  })

/** Pays a booking by card; false when it came to nothing. */
export const payByCard = async (
  town: Town,
  person: Person,
  random: Random,
  what: { booking_id: string; promo?: string },
): Promise<boolean> => {
  const started = await person.insist<Started>('start_payment', {
    ...what,
    payment_mode: 'card',
    provider: 'test',
  })
  return started.ok && fill(town, person, random, started.value)
}

/** Tops the wallet up by card. */
export const topUp = async (town: Town, person: Person, random: Random): Promise<void> => {
  const amount = random.pick([200, 500, 1000])
  const input = { payment_mode: 'topup', provider: 'test', amount }
  const started = await person.insist<Started>('start_payment', input)
  if (!started.ok || !(await fill(town, person, random, started.value))) return
  town.observed.entered({ uid: person.uid, key: `${started.value.payment_id}-topup`, amount })
}
