import { expect, test } from 'vitest'
import { createMarkerContent, rotateMarker, updateMarkerLabel } from './markerElements'
import type { MarkerSpec } from './mapPort'

const drawMarker = (spec: Pick<MarkerSpec, 'kind'> & Partial<MarkerSpec>) => {
  const marker: MarkerSpec = { id: 'a', position: { lat: 0, lng: 0 }, ...spec }
  const content = createMarkerContent(marker)
  const root = document.createElement('div')
  root.append(content)
  updateMarkerLabel(root, marker)
  return {
    root,
    content,
    update: (next: Partial<MarkerSpec>) => updateMarkerLabel(root, { ...marker, ...next }),
  }
}

test('a number shows its text, its name and its urgency, also after they change', () => {
  const { root, update } = drawMarker({ kind: 'number', text: '2', label: '2 · Main Street' })
  expect(root).toHaveTextContent(/^2$/)
  expect(root).toHaveAttribute('aria-label', '2 · Main Street')
  expect(root).not.toHaveAttribute('data-tone')
  update({ text: '1', label: '1 · Main Street', tone: 'urgent' })
  expect(root).toHaveTextContent(/^1$/)
  expect(root).toHaveAttribute('data-tone', 'urgent')
})

test('a driver has a state, and an arrow only after they have moved', () => {
  const { root, content, update } = drawMarker({ kind: 'driver', tone: 'free' })
  rotateMarker(content, 'driver', 0)
  expect(root).toHaveAttribute('data-tone', 'free')
  expect(content).not.toHaveClass('map-turned')
  rotateMarker(content, 'driver', 90)
  expect(content).toHaveClass('map-turned')
  expect(content.style.transform).toBe('rotate(90.0deg)')
  update({ tone: 'busy' })
  expect(root).toHaveAttribute('data-tone', 'busy')
})
