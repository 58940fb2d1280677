import { expect, it } from 'vitest'
import { observing } from './observed'

it('tells calls by name, with what was refused and what was never answered', () => {
  let clock = 0
  const observed = observing(() => clock)
  observed.called('create_booking', 10, 'ok')
  observed.called('create_booking', 30, 'estimate_changed')
  clock = 2500
  observed.called('create_booking', 999, 'unanswered')
  expect(observed.figures()).toEqual([
    {
      name: 'create_booking',
      count: 3,
      refused: 1,
      unanswered: 1,
      p50: 30,
      p95: 30,
      p99: 30,
      most: 30,
    },
  ])
  expect(observed.counted('refusals')).toEqual({ 'create_booking: estimate_changed': 1 })
  expect(observed.seconds().map(({ calls }) => calls)).toEqual([2, 0, 1])
})

it('knows how many bookings are under way', () => {
  const observed = observing(() => 0)
  observed.began()
  observed.began()
  observed.ended('complete')
  expect(observed.underWay()).toBe(1)
  expect(observed.counted('bookings')).toEqual({ begun: 2, complete: 1 })
})
