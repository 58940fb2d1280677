import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { GLIDE_MS } from './motion'
import { createPins } from './pins'
import type { LatLng } from '~/domain/entities'
import type { Pose } from './motion'
import type { Bubble } from './pins'
import type { MarkerSpec } from './port'

/** A screen on which a thousandth of a degree is a pixel. */
const screen = () => {
  const shown = new Map<string, { pose: Pose; label: string | undefined; isVisible: boolean }>()
  let drawn = 0
  const bubbles: Bubble[] = []
  let isSliding = false
  const pins = createPins({
    draw: ({ id, label }) => {
      drawn++
      const one = { pose: { lat: 0, lng: 0, heading: 0 }, label, isVisible: true }
      shown.set(id, one)
      return {
        place: (pose) => (one.pose = pose),
        dress: (spec) => (one.label = spec.label),
        show: (isVisible) => (one.isVisible = isVisible),
        remove: () => shown.delete(id),
      }
    },
    drawBubble: (bubble) => {
      bubbles.push(bubble)
      return { remove: () => bubbles.splice(bubbles.indexOf(bubble), 1) }
    },
    project: ({ lat, lng }: LatLng) => ({ x: lng * 1_000, y: lat * 1_000 }),
    isSliding: () => isSliding,
  })
  return {
    pins,
    shown,
    bubbles,
    slide: (is: boolean) => (isSliding = is),
    draws: () => drawn,
    at: (id: string) => shown.get(id)!.pose,
  }
}
const car = (lng: number, more: Partial<MarkerSpec> = {}): MarkerSpec => ({
  id: 'car',
  kind: 'vehicle',
  at: { lat: 0, lng },
  ...more,
})

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['requestAnimationFrame', 'cancelAnimationFrame', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test.each(['vehicle', 'image'] as const)('a %s glides to where it has gone', (kind) => {
  const { pins, at } = screen()
  pins.set([car(0, { kind })], false)
  pins.set([car(0.01, { kind })], false)
  expect(at('car').lng).toBe(0)
  vi.advanceTimersByTime(GLIDE_MS / 2)
  expect(at('car').lng).toBeGreaterThan(0.003)
  expect(at('car').lng).toBeLessThan(0.007)
  expect(at('car').heading).toBe(90)
  vi.advanceTimersByTime(GLIDE_MS)
  expect(at('car').lng).toBe(0.01)
})

test('told the same place again on its way it arrives when it would have', () => {
  const { pins, at } = screen()
  pins.set([car(0)], false)
  pins.set([car(0.01)], false)
  for (let told = 0; told < 4; told++) {
    vi.advanceTimersByTime(GLIDE_MS / 4 + 5)
    pins.set([car(0.01)], false)
  }
  expect(at('car').lng).toBe(0.01)
})

test('told a new place on its way it goes on from where it is', () => {
  const { pins, at } = screen()
  pins.set([car(0)], false)
  pins.set([car(0.01)], false)
  vi.advanceTimersByTime(GLIDE_MS / 2)
  const { lng } = at('car')
  pins.set([car(0)], false)
  expect(at('car').lng).toBe(lng)
  vi.advanceTimersByTime(20)
  expect(at('car').lng).toBeLessThan(lng)
  expect(at('car').lng).toBeGreaterThan(lng - 0.001)
})

test('a correction across the town, or a wish for stillness, is no drive', () => {
  const { pins, at } = screen()
  pins.set([car(0)], false)
  pins.set([car(1)], false)
  expect(at('car').lng).toBe(1)
  vi.stubGlobal('matchMedia', () => ({ matches: true }))
  pins.set([car(1.01)], false)
  expect(at('car').lng).toBe(1.01)
})

test('while the map slides to another zoom nothing moves by itself, and then all is in its place', () => {
  const { pins, at, slide } = screen()
  pins.set([car(0)], false)
  slide(true)
  pins.set([car(0.01)], false)
  vi.advanceTimersByTime(GLIDE_MS * 2)
  expect(at('car').lng).toBe(0)
  slide(false)
  pins.rescale()
  expect(at('car').lng).toBe(0.01)
})

test('a marker is drawn once, given new words as it is, and drawn anew as another kind', () => {
  const { pins, shown, draws } = screen()
  pins.set([car(0, { label: 'Ana' })], false)
  pins.set([car(0, { label: 'Ana, busy' })], false)
  expect([draws(), shown.get('car')?.label]).toEqual([1, 'Ana, busy'])
  pins.set([car(0, { kind: 'dot' })], false)
  expect(draws()).toBe(2)
  pins.set([], false)
  expect(shown.size).toBe(0)
})

test('many at one place are a group that names them; one far off, and the ends of a way, are not', () => {
  const { pins, shown, bubbles } = screen()
  const markers: MarkerSpec[] = [
    ...[1, 2, 3].map((n) => car(n / 1_000, { id: `car${n}`, label: `Car ${n}` })),
    car(1, { id: 'far' }),
    { id: 'start', kind: 'start', at: { lat: 0, lng: 0 } },
  ]
  pins.set(markers, true)
  expect(bubbles).toMatchObject([{ label: 'Car 1, Car 2, Car 3' }])
  expect(bubbles[0]?.places).toHaveLength(3)
  const visible = () => [...shown].flatMap(([id, { isVisible }]) => (isVisible ? [id] : []))
  expect(visible()).toEqual(['far', 'start'])
  pins.rescale()
  expect(bubbles).toHaveLength(1)
  pins.set(markers, false)
  expect(bubbles).toHaveLength(0)
  expect(visible()).toHaveLength(5)
})

test('nothing is left behind, and nothing moves on', () => {
  const { pins, shown, bubbles } = screen()
  pins.set(
    [1, 2, 3].map((n) => car(n / 1_000, { id: `car${n}` })),
    true,
  )
  pins.set(
    [1, 2, 3].map((n) => car(n / 500, { id: `car${n}` })),
    true,
  )
  pins.clear()
  expect([shown.size, bubbles.length, vi.getTimerCount()]).toEqual([0, 0, 0])
})
