import { expect, it } from 'vitest'
import { createRunRecorder, type TimedObservation } from './runRecorder'

it('reports calls by name with their refusals and those without a response', () => {
  let clock = 0
  const observed = createRunRecorder({ now: () => clock })
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

it('counts the bookings that are under way', () => {
  const observed = createRunRecorder({ now: () => 0 })
  observed.began()
  observed.began()
  observed.ended('complete')
  expect(observed.underWay()).toBe(1)
  expect(observed.counted('bookings')).toEqual({ begun: 2, complete: 1 })
})

it('resumes an interrupted run without losing its observations', () => {
  const kept: TimedObservation[] = []
  let clock = 0
  const first = createRunRecorder({ now: () => clock, onObservation: (noted) => kept.push(noted) })
  first.began()
  first.called('create_booking', 12, 'ok')
  first.done({ booking: 'b1', event: 'create', by: 'ana', revision: 1 })
  clock = 3000
  first.mishap('network lost')
  const second = createRunRecorder({ now: () => 50_000, earlierObservations: kept })
  expect(second.elapsed()).toBe(3)
  expect(second.counted('bookings')).toEqual({
    begun: 1,
    'left when the simulator was cut short': 1,
  })
  expect(second.underWay()).toBe(0)
  expect(second.counted('mishaps')).toEqual({ 'network lost': 1 })
  expect(second.events()).toEqual(first.events())
  expect(second.figures()).toEqual(first.figures())
})
