import { expect, onTestFinished, test, vi } from 'vitest'
import { PARTS, signature } from './build'

test('the web app is built anew for another address, and for the same one only once', () => {
  onTestFinished(() => void vi.unstubAllEnvs())
  const web = PARTS.find(({ name }) => name === 'the web app') ?? { from: [] }
  const signatures = ['', 'https://one.example', 'https://two.example', ''].map((address) => {
    vi.stubEnv('KERBSIDE_SITE_URL', address)
    return signature(web)
  })
  expect(new Set(signatures).size).toBe(3)
  expect(signatures[3]).toBe(signatures[0])
})
