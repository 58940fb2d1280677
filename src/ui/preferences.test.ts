import { afterEach, expect, test, vi } from 'vitest'
import { readPreference, savePreference } from './preferences'

const blockStorage = () => {
  const refuse = () => {
    throw new DOMException('The operation is insecure.', 'SecurityError')
  }
  vi.spyOn(window, 'localStorage', 'get').mockImplementation(refuse)
}
afterEach(() => void vi.restoreAllMocks())

test('a preference lasts on its device, and is null until a person chooses', () => {
  savePreference('sound', 'off')
  expect(readPreference('sound')).toBe('off')
  expect(readPreference('scheme')).toBeNull()
})

test('a browser that blocks storage has no preferences', () => {
  savePreference('sound', 'off')
  blockStorage()
  savePreference('sound', 'on')
  expect(readPreference('sound')).toBeNull()
})
