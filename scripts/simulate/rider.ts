import type { CreateBooking } from '~/domain/api'
import { chosenExtras } from '~/domain/booking/create'
import type { Booking, CarType, Place } from '~/domain/entities'
import { quote } from '~/domain/fare'
import { distanceKm } from '~/domain/geo'
import { places } from '~/seed/places'
import type { Random } from '~/domain/testing/random'
import { payByCard, topUp } from './card'
import { advance, create } from './deeds'
import { signIn, type Person } from './person'
import { chanceOfLoss, deafness, lossMs, type Town } from './town'
import { watch, type Watched } from './watching'

const HOUR = 3_600_000
/** Seconds of life a rider waits for the next thing to happen before he gives up. */
const PATIENCE = 40 * 60
/** … and ms of ours at least: a busy machine is no slow driver. */
const LEAST_PATIENCE_MS = 120_000

/** One rider: books, pays, waits, changes his mind, pays again, rates. */
export const riderLife = async (
  town: Town,
  { person, mobile, random }: { person: Person; mobile: string; random: Random },
): Promise<void> => {
  let tab: Person | undefined
  // The same account in a second window, opened when it is first needed.
  const otherTab = async () => (tab ??= await signIn(mobile, town))
  const again = async (): Promise<Person | undefined> => {
    if (random.chance(0.03)) return otherTab()
    return random.chance(0.07) ? person : undefined
  }
  const rider: Rider = { town, person, random, again }
  try {
    await town.rest(random.whole(0, 120))
    while (!town.isClosing() && town.begins()) {
      town.observed.began()
      let how = 'still under way'
      try {
        how = await oneBooking(rider)
      } finally {
        town.observed.ended(how)
      }
      await town.rest(random.whole(20, 300))
    }
  } finally {
    await tab?.close()
  }
}

interface Rider {
  town: Town
  person: Person
  random: Random
  /** Who taps a second time at the same moment, if anybody. */
  again(): Promise<Person | undefined>
}

const patience = ({ plan }: Town): number =>
  Math.max(LEAST_PATIENCE_MS, (PATIENCE * 1000) / plan.pace)

/** A place picked from the list, typed in, or tapped on the map. */
const somewhere = async ({ person, random }: Rider): Promise<Place> => {
  const known = random.pick(places)
  if (random.chance(0.15)) {
    const answer = await person.post<{ searchResults?: Found[] }>('googleapis-autocomplete', {
      searchKeyword: known.add.split(',')[0] ?? '',
      near: `${known.lat},${known.lng}`,
    })
    const [first] = answer.ok ? (answer.value.searchResults ?? []) : []
    if (first?.coords && distanceKm(first.coords, known) < 5)
      return { ...first.coords, add: first.description }
  }
  if (random.chance(0.15)) {
    const lat = Number((known.lat + (random.next() - 0.5) * 0.006).toFixed(5))
    const lng = Number((known.lng + (random.next() - 0.5) * 0.006).toFixed(5))
    const answer = await person.post<{ address?: string }>('googleapis-getaddress', {
      latlng: `${lat},${lng}`,
    })
    if (answer.ok && answer.value.address) return { lat, lng, add: answer.value.address }
  }
  return known
}
interface Found {
  description: string
  coords?: { lat: number; lng: number }
}

const extras = ({ random }: Rider, { parcelTypes, options }: CarType) => ({
  ...(parcelTypes?.length && { parcelTypeIndex: random.whole(0, parcelTypes.length - 1) }),
  ...(options?.length && { optionIndex: random.whole(0, options.length - 1) }),
})

/** What the booking page would send: the price it worked out from the route it was shown. */
const request = async (rider: Rider): Promise<CreateBooking | string> => {
  const { town, person, random } = rider
  const [pickup, drop] = [await somewhere(rider), await somewhere(rider)]
  if (distanceKm(pickup, drop) < 0.3) return 'changed mind before booking'
  const carType = random.pick(town.carTypes)
  const chosen = extras(rider, carType)
  const way = await person.directions(pickup, drop)
  if (!way) return 'no route found'
  const parts = chosenExtras(carType, chosen, town.settings)
  const priced = quote({
    carType,
    settings: town.settings,
    distanceKm: way.distance_in_km,
    seconds: way.time_in_secs,
    ...(parts.ok && parts.value),
  })
  // A page that was left open for long shows yesterday's price.
  const estimateFare = random.chance(0.04) ? priced.estimateFare + 1 : priced.estimateFare
  const bookLater = random.chance(0.2)
  // A clock that is hours behind asks for a time that is over.
  const wrongClock = town.plan.faults && random.chance(0.1) ? -random.whole(1, 12) * HOUR : 0
  if (bookLater && wrongClock !== 0) town.observed.mishap('clock wrong by hours')
  return {
    booking_id: person.newKey('bookings'),
    pickup,
    drop,
    carType: carType.id,
    bookLater,
    ...(bookLater && {
      tripdate: Date.now() + wrongClock + random.whole(20, 24 * 60) * 60_000,
    }),
    estimateFare,
    ...chosen,
    ...(town.settings.appcat === 'delivery' && {
      deliveryPerson: 'Ana Paz',
      deliveryPersonPhone: '099 123 456',
      ...(random.chance(0.3) && { pickUpInstructions: 'Ring twice' }),
    }),
  }
}

/** Books until the price is agreed upon; a word for why not. Some people phone the office, which books for them. */
const book = async (rider: Rider, input: CreateBooking): Promise<{ no?: string }> => {
  const { town, person, random, again } = rider
  const byPhone = random.chance(0.06)
  const booker = byPhone ? town.office.person : person
  const asked = { ...input, ...(byPhone && { customer: person.uid }) }
  const manner = { ...deafness(town.plan, random), twiceBy: byPhone ? undefined : await again() }
  const first = await create(town, booker, asked, manner)
  if (first.ok) return {}
  const { key, estimate } = first.error
  if (key !== 'estimate_changed' || estimate === undefined) return { no: `not booked: ${key}` }
  if (random.chance(0.2)) return { no: 'did not like the new price' }
  const second = await create(town, booker, { ...asked, estimateFare: estimate })
  return second.ok ? {} : { no: `not booked: ${second.error.key}` }
}

const oneBooking = async (rider: Rider): Promise<string> => {
  const { town, person, random } = rider
  const input = await request(rider)
  if (typeof input === 'string') return input
  const { no } = await book(rider, input)
  if (no !== undefined) return no
  const id = input.booking_id
  const screen = watch(person, id, town.signal)
  try {
    await screen.until(() => true, patience(town))
    const code = await person.read<number>(`booking_otps/${id}`)
    town.spoken.set(id, code === null ? {} : { code })
    if (screen.now()?.status === 'PAYMENT_PENDING') {
      if (random.chance(0.03)) return 'left unpaid'
      if (random.chance(0.04)) return await cancel(rider, id, screen)
      if (!(await payFirst(rider, id))) return await cancel(rider, id, screen)
    }
    return await ride(rider, id, screen)
  } finally {
    screen.end()
    town.spoken.delete(id)
  }
}

/** Pays for a booking before anybody is asked to drive; false when nothing worked. */
const payFirst = async (rider: Rider, booking_id: string): Promise<boolean> => {
  const { town, person, random, again } = rider
  const promo =
    random.chance(0.25) && town.promos.length > 0 ? random.pick(town.promos).id : undefined
  const quoted = await person.insist('quote_payment', { booking_id, ...(promo && { promo }) })
  const used = promo && quoted.ok ? { promo } : {}
  const mode = random.pick(['cash', 'cash', 'wallet', 'card'] as const)
  if (mode === 'card' && (await payByCard(town, person, random, { booking_id, ...used })))
    return true
  if (mode === 'wallet') {
    const manner = { ...deafness(town.plan, random), twiceBy: await again() }
    const pay = () =>
      advance(town, person, { booking_id, event: 'pay', payment_mode: 'wallet', ...used }, manner)
    const first = await pay()
    if (first.ok) return true
    if (first.error.key === 'wallet_too_low' && random.chance(0.5)) {
      await topUp(town, person, random)
      if ((await pay()).ok) return true
    }
  }
  const cash = { booking_id, event: 'pay', payment_mode: 'cash' } as const
  const paid = await advance(town, person, { ...cash, ...used }, { twiceBy: await again() })
  // A promo that was taken meanwhile: then without.
  return paid.ok || (promo !== undefined && (await advance(town, person, cash)).ok)
}

const cancel = async (rider: Rider, booking_id: string, screen: Watched): Promise<string> => {
  const { town, person, random, again } = rider
  const reason = town.reasons.length > 0 ? random.pick(town.reasons).label : 'Changed my mind'
  const manner = { ...deafness(town.plan, random), twiceBy: await again() }
  const done = await advance(town, person, { booking_id, event: 'cancel', reason }, manner)
  if (done.ok) return 'cancelled by the rider'
  // He was picked up just then.
  return ride(rider, booking_id, screen, true)
}

const isOver = ({ status }: Booking) => status === 'CANCELLED' || status === 'COMPLETE'
const cancelledBy = (booking: Booking): string =>
  booking.cancelledBy === 'driver' && booking.driver === undefined
    ? 'cancelled, no driver wanted it'
    : `cancelled by the ${booking.cancelledBy === booking.customer ? 'rider' : (booking.cancelledBy ?? 'system')}`

/** From waiting for a driver to the rating. */
const ride = async (rider: Rider, id: string, screen: Watched, stays = false): Promise<string> => {
  const { town, person, random } = rider
  const { plan } = town
  const until = (...statuses: Booking['status'][]) =>
    screen.until((booking) => isOver(booking) || statuses.includes(booking.status), patience(town))
  if (!stays && random.chance(0.06)) {
    await town.rest(random.whole(5, 120))
    return cancel(rider, id, screen)
  }
  const accepted = await until('ACCEPTED', 'ARRIVED', 'STARTED', 'REACHED', 'PENDING', 'PAID')
  if (!accepted) {
    // Whoever has waited this long and is still not picked up goes by bus.
    const done = stays
      ? null
      : await advance(town, person, { booking_id: id, event: 'cancel', reason: 'Took too long' })
    if (done?.ok) return 'cancelled by the rider'
  } else if (isOver(accepted)) return cancelledBy(accepted)
  else if (!stays && accepted.status === 'ACCEPTED' && random.chance(0.06)) {
    await town.rest(random.whole(30, 400))
    return cancel(rider, id, screen)
  }
  if (random.chance(0.1)) void chat(rider, id)
  if (random.chance(0.05)) await share(rider, id)
  if (random.chance(chanceOfLoss(plan))) await person.loseNetwork(lossMs(plan, random))

  const arrived = await until('PENDING', 'PAID')
  if (!arrived) return 'still under way'
  if (isOver(arrived)) return arrived.status === 'COMPLETE' ? 'complete' : cancelledBy(arrived)
  if (arrived.status === 'PENDING') await payAfter(rider, id)
  const paid = await until('PAID')
  if (!paid) return 'still under way'
  if (paid.status === 'CANCELLED') return cancelledBy(paid)
  return rate(rider, id)
}

/** What is left after the trip: in cash to the driver, or from the wallet or a card. */
const payAfter = async ({ town, person, random }: Rider, booking_id: string): Promise<void> => {
  const spoken = town.spoken.get(booking_id) ?? {}
  const byHimself = random.chance(0.3)
  town.spoken.set(booking_id, { ...spoken, pays: byHimself ? 'by himself' : 'cash' })
  if (!byHimself) return
  const paid = random.chance(0.5)
    ? await payByCard(town, person, random, { booking_id })
    : (await advance(town, person, { booking_id, event: 'pay', payment_mode: 'wallet' })).ok
  if (!paid) town.spoken.set(booking_id, { ...spoken, pays: 'cash' })
}

const rate = async (rider: Rider, booking_id: string): Promise<string> => {
  const { town, person, random, again } = rider
  if (random.chance(0.1)) return 'paid, not rated'
  const rating = random.pick([5, 5, 5, 4, 4, 3, 2, 1])
  const manner = { ...deafness(town.plan, random), twiceBy: await again() }
  const done = await advance(town, person, { booking_id, event: 'rate', rating }, manner)
  return done.ok ? 'complete' : 'paid, not rated'
}

const chat = ({ town, person }: Rider, id: string) =>
  person.write('chat', {
    [`chats/${id}/${person.newKey(`chats/${id}`)}`]: {
      message: 'I am at the door',
      from: person.uid,
      type: 'msg',
      msgDate: new Date().toLocaleDateString('en-GB', { timeZone: town.settings.timezone }),
      msgTime: new Date().toLocaleTimeString('en-GB', { timeZone: town.settings.timezone }),
      source: 'rider',
      at: { '.sv': 'timestamp' },
    },
  })

/** Somebody at home is sent the link, and looks. */
const share = async ({ town, person }: Rider, booking_id: string): Promise<void> => {
  const shared = await person.insist<{ token: string }>('share_booking', { booking_id })
  if (!shared.ok) return
  const { functionsUrl } = town.webConfig
  const began = performance.now()
  const seen = await fetch(`${functionsUrl}/track?token=${shared.value.token}`).catch(() => null)
  town.observed.called(
    'track',
    performance.now() - began,
    seen === null ? 'unanswered' : seen.ok ? 'ok' : `status ${seen.status}`,
  )
}
